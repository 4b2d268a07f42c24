/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { MonthlyUsage } from '../../domain/usage.ts';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';

type Props = Readonly<{
  viewer: Viewer;
  plan: string;
  limit: number | null;
  used: number;
  /** End of the current month. */
  end: number;
  months: readonly MonthlyUsage[];
  /** Bytes of submissions and files. */
  stored: number;
  storageLimit: number | null;
}>;

/** The usage of the current month and of earlier ones. */
export function UsageView(props: Props) {
  const { usage: t, sections } = props.viewer.texts;
  return (
    <>
      <h1>{sections.usage}</h1>
      <section class="card" aria-labelledby="now">
        <h2 id="now">{t.thisMonth}</h2>
        <ThisMonth {...props} />
      </section>
      <section class="card" aria-labelledby="storage">
        <h2 id="storage">{t.storage}</h2>
        <Storage {...props} />
      </section>
      <section class="card" aria-labelledby="before">
        <h2 id="before">{t.history}</h2>
        <History {...props} />
      </section>
    </>
  );
}

function ThisMonth({ viewer, plan, limit, used, end }: Props) {
  const { usage: t } = viewer.texts;
  const { number } = viewer;
  const share = limit === null ? 0 : Math.floor((100 * used) / Math.max(1, limit));
  return (
    <>
      <p>{limit === null ? t.unlimited(number(used), plan) : t.ofLimit(number(used), number(limit), plan)}</p>
      {limit !== null && (
        <progress max={Math.max(1, limit)} value={Math.min(used, limit)} aria-label={t.thisMonth}>
          {share} %
        </progress>
      )}
      {limit !== null && share >= 80 && <p class="note">{share >= 100 ? t.full : t.nearlyFull}</p>}
      <p class="soft small">
        {t.counted} {t.resets} <Time viewer={viewer} at={end} />.
      </p>
      <p class="soft small">{limit === null ? t.noCap : t.cap}</p>
    </>
  );
}

function Storage({ viewer, plan, stored, storageLimit: limit }: Props) {
  const { usage: t } = viewer.texts;
  const { size } = viewer;
  return (
    <>
      <p>{limit === null ? t.stored(size(stored)) : t.storedOfLimit(size(stored), size(limit), plan)}</p>
      {limit !== null && (
        <progress max={Math.max(1, limit)} value={Math.min(stored, limit)} aria-label={t.storage}>
          {Math.floor((100 * stored) / Math.max(1, limit))} %
        </progress>
      )}
      {limit !== null && <p class="soft small">{t.storageCap}</p>}
    </>
  );
}

function History({ viewer, months }: Props) {
  const { usage: t } = viewer.texts;
  const most = Math.max(1, ...months.map(({ used }) => used));
  if (months.length === 0) return <p class="soft">{t.nothing}</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t.month}</th>
          <th scope="col">{t.submissions}</th>
          <th scope="col">
            <span class="visually-hidden">{t.share}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {months.map(({ periodStart, used }) => (
          <tr>
            <th scope="row">{viewer.month(periodStart)}</th>
            <td class="number">{viewer.number(used)}</td>
            <td>
              <svg class="bar" width="100%" height="10" aria-hidden="true" focusable="false">
                <rect width={`${((100 * used) / most).toFixed(1)}%`} height="10" fill="currentColor" />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
