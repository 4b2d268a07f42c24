/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../domain/forms/form.ts';
import type { Micros } from '../../lib/clock.ts';
import type { testWebhook } from '../../services/webhooks/test-webhook.ts';
import { INBOX_TEXTS } from '../submissions/inbox/texts.ts';
import { Card, LinkLine } from '../ui/elements.tsx';
import { EntryList } from '../ui/entry-list.tsx';
import { FormHead } from '../ui/form-head.tsx';
import { SubmissionEntry } from '../ui/submission-entry.tsx';
import type { Viewer } from '../viewer.ts';
import { Exchange, formatted } from './delivery-view.tsx';
import { WEBHOOKS_TEXTS } from './texts.ts';
import { getAddress, type ShownWebhook } from './webhook-buttons.tsx';

/** Request and outcome of a test. */
export type TestResult = Awaited<ReturnType<typeof testWebhook>>;

type Props = Readonly<{ viewer: Viewer; form: Form; shown: ShownWebhook; result: TestResult }>;

/** Headers that contain no secret. */
const SHOWN_HEADERS = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
const MAX_ANSWER_LENGTH = 1024;

/** The request and the answer of a test. */
export function TestView({ viewer, form, shown, result: { request, attempt } }: Props) {
  const t = WEBHOOKS_TEXTS[viewer.language];
  const { reason, status, answer, durationMs } = attempt;
  const facts = status === null ? '' : ` ${t.status(status)} · ${t.milliseconds(viewer.number(durationMs))}`;
  return (
    <>
      <FormHead viewer={viewer} form={form} current="webhooks" />
      <LinkLine href={getAddress(shown.webhook)} text={t.back} isSmall />
      <Card id="test" title={t.testTitle}>
        <p class={reason === null ? 'done' : 'error'} role={reason === null ? 'status' : 'alert'}>
          {reason === null ? t.accepted : t.refused} <bdi lang="en">{reason}</bdi>
          {facts}
        </p>
        <Exchange
          viewer={viewer}
          request={request ? toText(request) : ''}
          answer={answer.slice(0, MAX_ANSWER_LENGTH)}
          note={t.hiddenHint}
        />
      </Card>
    </>
  );
}

/** Formats a request with its headers, without their secrets. */
function toText({ url, headers, body }: NonNullable<TestResult['request']>): string {
  const lines = Object.entries(headers).map(
    ([name, value]) => `${name}: ${SHOWN_HEADERS.includes(name.toLowerCase()) ? value : '••••••'}`,
  );
  return [`POST ${new URL(url).origin}`, ...lines, '', formatted(body)].join('\n');
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
      <EntryList items={newest} label={t.newest}>
        {({ id, createdAt, who, isSent }) => (
          <SubmissionEntry
            id={id}
            title={who === null ? inbox.damaged : who || inbox.nobody}
            isNamed={!!who}
            text={viewer.formatTime(createdAt)}
          >
            <span class={isSent ? 'badge good' : 'badge'}>{isSent ? t.sent : t.notSent}</span>
          </SubmissionEntry>
        )}
      </EntryList>
    </section>
  );
}
