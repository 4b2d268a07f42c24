/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Micros } from '../../lib/clock.ts';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';

/** The decisions of conditions about past submissions: the numbers, and the newest ones. */
export type Trial = Readonly<{
  count: number;
  sentCount: number;
  /** The number of sent ones that meet the conditions of no recipient and no webhook. */
  fallbackCount: number;
  /** `who` is null for a damaged submission. */
  newest: ReadonlyArray<Readonly<{ id: string; createdAt: Micros; who: string | null; isSent: boolean }>>;
}>;

/** Shows what conditions would have done with past submissions. */
export function TrialSection({ viewer, trial }: Readonly<{ viewer: Viewer; trial: Trial }>) {
  const { webhooks: t, inbox } = viewer.texts;
  const { count, sentCount, fallbackCount, newest } = trial;
  return (
    <section class="workspace" id="tried" tabindex={-1} aria-labelledby="tried-title">
      <h3 id="tried-title">{t.tried}</h3>
      <p role="status">{count === 0 ? t.nothingToTry : t.triedCount(viewer.number(sentCount), viewer.number(count))}</p>
      {fallbackCount > 0 && <p class="note">{t.triedFallback(fallbackCount, viewer.number(fallbackCount))}</p>}
      {count > 0 && (
        <div class="scroll" tabindex={0} role="region" aria-label={t.newest}>
          <table>
            <caption class="visually-hidden">{t.newest}</caption>
            <thead>
              <tr>
                <th scope="col">{t.submission}</th>
                <th scope="col">{inbox.received}</th>
                <th scope="col">{t.result}</th>
              </tr>
            </thead>
            <tbody>
              {newest.map(({ id, createdAt, who, isSent }) => (
                <tr>
                  <th scope="row">
                    <a href={`/dashboard/submissions/${id}`}>
                      <bdi>{who === null ? inbox.damaged : who || inbox.nobody}</bdi>
                    </a>
                  </th>
                  <td>
                    <Time viewer={viewer} at={createdAt} />
                  </td>
                  <td>
                    <span class={isSent ? 'badge good' : 'badge'}>{isSent ? t.sent : t.notSent}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
