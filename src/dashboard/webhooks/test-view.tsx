/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../domain/forms/form.ts';
import type { testWebhook } from '../../services/webhooks/test-webhook.ts';
import { Card, LinkLine } from '../ui/elements.tsx';
import { FormHead } from '../ui/form-head.tsx';
import type { Viewer } from '../viewer.ts';
import { Code } from './delivery-detail.tsx';
import { getAddress, type ShownWebhook } from './webhook-buttons.tsx';

/** Request and outcome of a test. */
export type TestResult = Awaited<ReturnType<typeof testWebhook>>;

type Props = Readonly<{ viewer: Viewer; form: Form; shown: ShownWebhook; result: TestResult }>;

/** Headers that contain no secret. */
const SHOWN_HEADERS = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
const MAX_ANSWER_LENGTH = 1024;

/** The request and the answer of a test. */
export function TestView({ viewer, form, shown, result }: Props) {
  const { webhooks: t } = viewer.texts;
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
      {result.request && <Request viewer={viewer} request={result.request} />}
      <Answer viewer={viewer} result={result} />
      <LinkLine href={getAddress(shown.webhook)} text={t.back} />
    </>
  );
}

type RequestProps = Readonly<{ viewer: Viewer; request: NonNullable<TestResult['request']> }>;

function Request({ viewer, request }: RequestProps) {
  const { webhooks: t } = viewer.texts;
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
  const { webhooks: t } = viewer.texts;
  const { status, answer, durationMs } = attempt;
  return (
    <Card id="answer" title={t.response}>
      <p>{status === null ? t.noAnswer : `${t.status(status)} · ${t.milliseconds(viewer.number(durationMs))}`}</p>
      {answer !== '' && <Code text={answer.slice(0, MAX_ANSWER_LENGTH)} />}
      {status !== null && answer === '' && <p class="soft">{t.emptyAnswer}</p>}
    </Card>
  );
}

/** Indents JSON; returns other text unchanged. */
function formatted(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
