/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import type { Form } from '../../domain/forms/form.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { highlight } from '../../lib/highlight.ts';
import type { readAttempt } from '../../services/webhooks/read-webhook.ts';
import type { StoredDelivery } from '../../storage/records.ts';
import { Card, LinkButton, LinkLine, PostButton } from '../ui/elements.tsx';
import { FormHead } from '../ui/form-head.tsx';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { WEBHOOKS_TEXTS } from './texts.ts';
import { getAddress, type ShownWebhook } from './webhook-buttons.tsx';

/** A delivery with the record of its last attempt. */
export type DeliveryItem = Readonly<{ delivery: StoredDelivery; attempt: ReturnType<typeof readAttempt> }>;

type Props = Readonly<{ viewer: Viewer; delivery: StoredDelivery }>;

const BADGES = {
  delivered: 'badge good',
  failed: 'badge bad',
  retrying: 'badge bad',
  queued: 'badge',
  canceled: 'badge',
} as const;

/** The state of a delivery as a badge. */
export function StateOfDelivery({ viewer, delivery: { state } }: Props) {
  return <span class={BADGES[state]}>{WEBHOOKS_TEXTS[viewer.language].states[state]}</span>;
}

/** A delivery in the log, with a button that sends it again. */
export function DeliveryRow({
  viewer,
  webhook,
  item: { delivery, attempt },
}: Readonly<{ viewer: Viewer; webhook: Webhook; item: DeliveryItem }>) {
  const t = WEBHOOKS_TEXTS[viewer.language];
  const { common } = viewer.texts;
  const { id, event, state, submissionId, createdAt } = delivery;
  return (
    <li class="row">
      <div class="grow">
        <DeliveryFacts viewer={viewer} delivery={delivery} attempt={attempt} isActive={webhook.isActive} />
        <Folded title={t.bodySent} text={attempt?.body} />
        <Folded title={t.answer} text={attempt?.answer} />
      </div>
      <LinkButton
        href={getAddress(webhook, `/deliveries/${id}`)}
        text={t.details}
        label={t.of(t.details, `${t.events[event]}, ${viewer.formatTime(createdAt)}`)}
      />
      {submissionId !== null && <LinkButton href={`/dashboard/submissions/${submissionId}`} text={t.submission} />}
      {state !== 'canceled' && (
        <PostButton
          action={getAddress(webhook, `/deliveries/${id}/send`)}
          text={common.sendAgain}
          label={t.of(common.sendAgain, `${t.events[event]}, ${viewer.formatTime(createdAt)}`)}
        />
      )}
    </li>
  );
}

/** Characters of a request or an answer in the log. The page of the delivery has more. */
const MAX_FOLDED = 2_000;

/** The beginning of a request or an answer in the log; nothing for an empty one. */
function Folded({ title, text = '' }: Readonly<{ title: string; text: string | undefined }>) {
  if (text === '') return null;
  return (
    <details class="small">
      <summary>{title}</summary>
      <Code text={text.slice(0, MAX_FOLDED)} />
    </details>
  );
}

/** State, event and time of a delivery, facts about its attempts, and the reason of a failure. */
function DeliveryFacts(props: DeliveryItem & Readonly<{ viewer: Viewer; isActive: boolean }>) {
  const { viewer, delivery, attempt } = props;
  return (
    <>
      <p class="flush">
        <StateOfDelivery viewer={viewer} delivery={delivery} />{' '}
        <strong>{WEBHOOKS_TEXTS[viewer.language].events[delivery.event]}</strong>{' '}
        <Time viewer={viewer} at={delivery.createdAt} />
      </p>
      <Facts {...props} />
      {attempt?.reason && (
        <p class="flush small" lang="en">
          <bdi>{attempt.reason}</bdi>
        </p>
      )}
    </>
  );
}

/** Status, duration and number of attempts, and the time of the next one if the webhook is active. */
function Facts({
  viewer,
  delivery: { lastStatus, durationMs, attempts, dueAt },
  isActive,
}: Props & Readonly<{ isActive: boolean }>) {
  const t = WEBHOOKS_TEXTS[viewer.language];
  const facts = [
    lastStatus !== null && t.status(lastStatus),
    durationMs !== null && attempts > 0 && t.milliseconds(viewer.number(durationMs)),
    attempts > 0 && t.attempts(attempts),
  ].filter((fact) => fact !== false);
  if (facts.length === 0) return null;
  return (
    <p class="flush small soft">
      {facts.join(' · ')}
      {dueAt !== null && isActive && (
        <>
          {` · ${t.nextTry} `}
          <Time viewer={viewer} at={dueAt} />
        </>
      )}
    </p>
  );
}

type DetailProps = Readonly<{ viewer: Viewer; form: Form; shown: ShownWebhook; item: DeliveryItem }>;

/** A delivery with the body sent in its last attempt, and the answer. */
export function DeliveryView({ viewer, form, shown: { webhook }, item: { delivery, attempt } }: DetailProps) {
  const t = WEBHOOKS_TEXTS[viewer.language];
  const { body = '', bodyBytes = 0, answer = '' } = attempt ?? {};
  const isCut = Buffer.byteLength(body) < bodyBytes;
  return (
    <>
      <FormHead viewer={viewer} form={form} current="webhooks" />
      <h2>{t.delivery}</h2>
      <DeliveryFacts viewer={viewer} delivery={delivery} attempt={attempt} isActive={webhook.isActive} />
      <Card id="body" title={t.bodySent}>
        {body === '' ? <p class="soft">{t.noBody}</p> : <Code text={body} />}
        {isCut && <p class="soft small">{t.bodyCut(viewer.number(bodyBytes))}</p>}
      </Card>
      {answer !== '' && (
        <Card id="answer" title={t.answer}>
          <Code text={answer} />
        </Card>
      )}
      <LinkLine href={getAddress(webhook)} text={t.back} />
    </>
  );
}

/** A request or an answer. */
export function Code({ text }: Readonly<{ text: string }>) {
  return (
    <div class="code">
      <pre tabindex={0}>{raw(highlight(text, 'other'))}</pre>
    </div>
  );
}
