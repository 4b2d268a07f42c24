/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../domain/forms/form.ts';
import type { Micros } from '../../lib/clock.ts';
import type { testWebhook } from '../../services/webhooks/test-webhook.ts';
import { INBOX_TEXTS } from '../submissions/inbox/texts.ts';
import { Card, LinkLine } from '../ui/elements.tsx';
import { FormHead } from '../ui/form-head.tsx';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { Code, formatted } from './delivery-view.tsx';
import { WEBHOOKS_TEXTS } from './texts.ts';
import { getAddress, type ShownWebhook } from './webhook-buttons.tsx';

/** Request and outcome of a test. */
export type TestResult = Awaited<ReturnType<typeof testWebhook>>;

type Props = Readonly<{ viewer: Viewer; form: Form; shown: ShownWebhook; result: TestResult }>;

/** Headers that contain no secret. */
const SHOWN_HEADERS = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
const MAX_ANSWER_LENGTH = 1024;

/** The request and the answer of a test. */
export function TestView({ viewer, form, shown, result }: Props) {
  const t = WEBHOOKS_TEXTS[viewer.language];
  const { reason } = result.attempt;
  return (
    <>
      <FormHead viewer={viewer} form={form} current="webhooks" />
      <h2>{t.testTitle}</h2>
      {reason === null ? (
        <p class="done" role="status">
          {t.accepted}
        </p>
      ) : (
        <p class="error" role="alert">
          {t.refused} <bdi lang="en">{reason}</bdi>
        </p>
      )}
      <div class="pair">
        {result.request && <Request viewer={viewer} request={result.request} />}
        <Answer viewer={viewer} result={result} />
      </div>
      <LinkLine href={getAddress(shown.webhook)} text={t.back} />
    </>
  );
}

type RequestProps = Readonly<{ viewer: Viewer; request: NonNullable<TestResult['request']> }>;

function Request({ viewer, request }: RequestProps) {
  const t = WEBHOOKS_TEXTS[viewer.language];
  const headers = Object.entries(request.headers).map(
    ([name, value]) => `${name}: ${SHOWN_HEADERS.includes(name.toLowerCase()) ? value : '••••••'}`,
  );
  const text = [`POST ${new URL(request.url).origin}`, ...headers, '', formatted(request.body)].join('\n');
  return (
    <Card id="request" title={t.request}>
      <p class="soft small">{t.hiddenHint}</p>
      <Code text={text} />
    </Card>
  );
}

function Answer({ viewer, result: { attempt } }: Pick<Props, 'viewer' | 'result'>) {
  const t = WEBHOOKS_TEXTS[viewer.language];
  const { status, answer, durationMs } = attempt;
  return (
    <Card id="answer" title={t.response}>
      <p>{status === null ? t.noAnswer : `${t.status(status)} · ${t.milliseconds(viewer.number(durationMs))}`}</p>
      {answer !== '' && <Code text={answer.slice(0, MAX_ANSWER_LENGTH)} />}
      {status !== null && answer === '' && <p class="soft">{t.emptyAnswer}</p>}
    </Card>
  );
}

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
  const inbox = INBOX_TEXTS[viewer.language];
  const t = WEBHOOKS_TEXTS[viewer.language];
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
