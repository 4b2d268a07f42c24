/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import type { Form } from '../../domain/forms/form.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { Micros } from '../../lib/clock.ts';
import { highlight } from '../../lib/highlight.ts';
import type { readAttempt } from '../../services/webhooks/read-webhook.ts';
import type { StoredDelivery } from '../../storage/records.ts';
import { LinkButton, LinkLine, PostButton } from '../ui/elements.tsx';
import { FormHead } from '../ui/form-head.tsx';
import { Ago, Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { WEBHOOKS_TEXTS } from './texts.ts';
import { getAddress, type ShownWebhook } from './webhook-buttons.tsx';

/** A delivery with the record of its last attempt, and the sender of its submission. */
export type DeliveryItem = Readonly<{
  delivery: StoredDelivery;
  attempt: ReturnType<typeof readAttempt>;
  sender?: string | undefined;
}>;

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

/** A delivery in the log. It opens to the beginnings of request and answer, and a button that sends it again. */
export function DeliveryRow({
  viewer,
  webhook,
  item,
  now,
}: Readonly<{ viewer: Viewer; webhook: Webhook; item: DeliveryItem; now: Micros }>) {
  const { delivery, attempt } = item;
  const t = WEBHOOKS_TEXTS[viewer.language];
  const { common } = viewer.texts;
  const { id, event, state, submissionId, createdAt } = delivery;
  const name = `${t.events[event]}, ${viewer.formatTime(createdAt)}`;
  const [request = '', answer = ''] = [attempt?.body, attempt?.answer].map((body = '') =>
    formatted(body).slice(0, MAX_FOLDED),
  );
  return (
    <li class="folding">
      <details>
        <summary>
          <DeliveryFacts viewer={viewer} {...item} isActive={webhook.isActive} now={now} />
        </summary>
        <Exchange {...{ viewer, request, answer }} />
        <div class="row">
          <LinkButton href={getAddress(webhook, `/deliveries/${id}`)} text={t.details} label={t.of(t.details, name)} />
          {submissionId !== null && <LinkButton href={`/dashboard/submissions/${submissionId}`} text={t.submission} />}
          {state !== 'canceled' && (
            <PostButton
              action={getAddress(webhook, `/deliveries/${id}/send`)}
              text={common.sendAgain}
              label={t.of(common.sendAgain, name)}
            />
          )}
        </div>
      </details>
    </li>
  );
}

/** Characters of a request or an answer in the log. The page of the delivery has more. */
const MAX_FOLDED = 2_000;

type ExchangeProps = Readonly<{ viewer: Viewer; request: string; answer: string; note?: string | false }>;

/** A request beside its answer, and a note about the request. */
export function Exchange({ viewer, request, answer, note }: ExchangeProps) {
  const t = WEBHOOKS_TEXTS[viewer.language];
  return (
    <div class="pair">
      <section aria-label={t.bodySent}>
        <h3>{t.bodySent}</h3>
        {request === '' ? <p class="soft small">{t.noBody}</p> : <Code text={request} />}
        {note && <p class="soft small">{note}</p>}
      </section>
      <section aria-label={t.answer}>
        <h3>{t.answer}</h3>
        {answer === '' ? <p class="soft small">{t.noAnswer}</p> : <Code text={answer} />}
      </section>
    </div>
  );
}

/** State, event and time of a delivery, facts about its attempts, and the reason of a failure. */
function DeliveryFacts(props: DeliveryItem & Readonly<{ viewer: Viewer; isActive: boolean; now?: Micros }>) {
  const { viewer, delivery, attempt, sender, now } = props;
  const event = WEBHOOKS_TEXTS[viewer.language].events[delivery.event];
  return (
    <span class="row">
      <StateOfDelivery viewer={viewer} delivery={delivery} />
      <span class="grow">
        <strong>
          <bdi>{sender || event}</bdi>
        </strong>
        {sender && ` · ${event}`}
        <Facts {...props} />
        {attempt?.reason && (
          <bdi class="hint" lang="en">
            {attempt.reason}
          </bdi>
        )}
      </span>
      <span class="small soft">
        {now === undefined ? (
          <Time viewer={viewer} at={delivery.createdAt} />
        ) : (
          <Ago viewer={viewer} at={delivery.createdAt} now={now} />
        )}
      </span>
    </span>
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
    <span class="small soft">
      {` · ${facts.join(' · ')}`}
      {dueAt !== null && isActive && (
        <>
          {` · ${t.nextTry} `}
          <Time viewer={viewer} at={dueAt} />
        </>
      )}
    </span>
  );
}

type DetailProps = Readonly<{ viewer: Viewer; form: Form; shown: ShownWebhook; item: DeliveryItem }>;

/** A delivery with the body sent in its last attempt, and the answer. */
export function DeliveryView({ viewer, form, shown: { webhook }, item: { delivery, attempt } }: DetailProps) {
  const t = WEBHOOKS_TEXTS[viewer.language];
  const { body = '', bodyBytes = 0, answer = '' } = attempt ?? {};
  return (
    <>
      <FormHead viewer={viewer} form={form} current="webhooks" />
      <LinkLine href={getAddress(webhook)} text={t.back} isSmall />
      <section class="card" aria-labelledby="delivery">
        <h2 id="delivery">{t.delivery}</h2>
        <DeliveryFacts viewer={viewer} delivery={delivery} attempt={attempt} isActive={webhook.isActive} />
        <hr />
        <Exchange
          viewer={viewer}
          request={formatted(body)}
          answer={formatted(answer)}
          note={Buffer.byteLength(body) < bodyBytes && t.bodyCut(viewer.number(bodyBytes))}
        />
      </section>
    </>
  );
}

/** A request or an answer. */
function Code({ text }: Readonly<{ text: string }>) {
  return (
    <div class="code">
      <pre tabindex={0}>{raw(highlight(text, 'other'))}</pre>
    </div>
  );
}

/** Indents JSON; returns other text unchanged. */
export function formatted(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
