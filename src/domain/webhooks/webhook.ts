import { DAY, HOUR, type Micros, SECOND } from '../../lib/clock.ts';
import { MAX_URL_LENGTH, parseHttpUrl } from '../../lib/http-url.ts';
import { newId } from '../../lib/ids.ts';
import { backoffAfter, nextAttemptAt, totalBackoff } from '../backoff.ts';
import { invalidInput } from '../errors.ts';
import type { When } from '../forms/condition.ts';

/** Events that a webhook can subscribe to. */
export const WEBHOOK_EVENTS = ['submission.created', 'submission.deleted', 'form.cap_reached'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Events of deliveries; a test is sent to any webhook. */
export type DeliveryEvent = WebhookEvent | 'webhook.test';

/** Content of a submission event: all fields, or ids and times only. */
export const BODY_STYLES = ['full', 'thin'] as const;
export type BodyStyle = (typeof BODY_STYLES)[number];

/** Reason for which deliveries stopped: `gone` after an answer of 410, `failing` after five days without success. */
export type DisabledReason = 'gone' | 'failing';

/** A webhook as its form's row repeats it, so that accepting a post needs no other query. */
export type WebhookRoute = Readonly<{ id: string; events: readonly WebhookEvent[]; includeSpam: boolean; when: When }>;

/** A webhook or another target of a form. `settings` is a sealed record of `SealedSettings`. */
export type Webhook = WebhookRoute &
  Readonly<{
    formId: string;
    /** A vendor's name; see `delivery/targets`. */
    kind: string;
    body: BodyStyle;
    /** False while paused by a person or disabled. Deliveries stay queued meanwhile. */
    isActive: boolean;
    disabledReason: DisabledReason | null;
    settings: Uint8Array;
    /** Failed attempts since the last success, and the time of the first of these. */
    failures: number;
    failingSince: Micros | null;
    /** Time of the next probe while resting after `REST_AFTER` failures. */
    restUntil: Micros | null;
    createdAt: Micros;
    /** Id of the user or API key that created it or last changed its address; null for a command. */
    createdBy: string | null;
  }>;

/** A signing secret in the form `whsec_…`. After a rotation the earlier one signs too, until `until`. */
export type SigningSecret = Readonly<{ secret: string; until: Micros | null }>;

/** Headers of a webhook's requests. */
export type WebhookHeaders = ReadonlyArray<readonly [name: string, value: string]>;

/** The submission of a `submission.deleted` event. */
export type DeletedSubmission = Readonly<{ id: string; createdAt: Micros }>;

/** A delivery to enqueue. Its id is the `webhook-id` of every attempt. */
export type NewDelivery = Readonly<{
  id: string;
  webhookId: string;
  event: DeliveryEvent;
  submissionId: string | null;
  deleted: DeletedSubmission | null;
}>;

export const MAX_WEBHOOKS_PER_FORM = 10;
/** Characters of a webhook's name. */
export const MAX_WEBHOOK_NAME = 60;
/** An endpoint whose last attempt took longer counts as slow, in milliseconds. */
export const SLOW_MS = 2_000;

/** Failures in a row after which only one delivery at a time is tried. */
export const REST_AFTER = 10;

/** Failures in a row from which people are told. */
export const FAILING_AFTER = 3;

const FIRST_RETRY = 5 * SECOND;

/**
 * Returns the time of the next attempt, or null to give up: after 5 seconds, then by the schedule of mails up to four
 * days, each ±10 %. `retryAt` is the earliest time that the endpoint asked for.
 */
export function nextWebhookAttemptAt(
  failures: number,
  now: Micros,
  random: number,
  retryAt: Micros | null = null,
): Micros | null {
  const next = failures <= 1 ? now + FIRST_RETRY : nextAttemptAt(failures - 1, now, 0);
  if (next === null) return null;
  return Math.max(now + Math.round((next - now) * (0.9 + random / 5)), retryAt ?? 0);
}

/** Longest pause that `Retry-After` can ask for. */
export const MAX_RETRY_AFTER = DAY;

/** State of an endpoint after attempts. */
export type EndpointState = Pick<Webhook, 'failures' | 'failingSince' | 'restUntil' | 'isActive' | 'disabledReason'>;

/** Span of rests after which owners are told, and after which a webhook is disabled. */
const ALERT_SPANS = [HOUR, DAY];
const DISABLE_SPAN = 5 * DAY;

/** Longest rest between two probes. A later `restUntil` was set before the clock went back. */
export const MAX_REST = Math.max(backoffAfter(Number.MAX_SAFE_INTEGER), MAX_RETRY_AFTER);

/**
 * Returns the endpoint's state after a failed attempt. After `REST_AFTER` failures in a row it rests before each probe, and
 * after five days of rests it is disabled. `pauseUntil` is set where the endpoint limits its
 * rate, and `isGone` disables it at once. Rests are counted instead of elapsed time, because
 * the clock may jump. `alert` means that owners must be notified.
 */
export function endpointAfterFailure(
  { failures, failingSince }: EndpointState,
  now: Micros,
  { pauseUntil, isGone }: Readonly<{ pauseUntil: Micros | null; isGone: boolean }>,
): EndpointState & Readonly<{ alert: boolean }> {
  const count = failures + 1;
  const span = restSpan(count);
  const isFailing = span >= DISABLE_SPAN;
  const isDisabled = isGone || isFailing;
  return {
    failures: count,
    failingSince: failingSince ?? now,
    restUntil: count < REST_AFTER ? pauseUntil : Math.max(now + backoffAfter(count - REST_AFTER + 1), pauseUntil ?? 0),
    isActive: !isDisabled,
    disabledReason: isGone ? 'gone' : isFailing ? 'failing' : null,
    alert: isDisabled || ALERT_SPANS.some((limit) => restSpan(failures) < limit && span >= limit),
  };
}

/** The state of an endpoint that answers. */
export const HEALTHY: EndpointState = {
  failures: 0,
  failingSince: null,
  restUntil: null,
  isActive: true,
  disabledReason: null,
};

/** Returns whether a webhook keeps failing or was disabled because of that. One paused by a person is not failing. */
export function isFailing({ isActive, disabledReason, failures }: EndpointState): boolean {
  return disabledReason !== null || (isActive && failures >= FAILING_AFTER);
}

const restSpan = (failures: number): Micros => totalBackoff(failures - REST_AFTER);

/** Returns the deliveries of a new submission, or of one released from spam, to the webhooks that get it. */
export function deliveriesForSubmission(webhooks: ReadonlyArray<{ id: string }>, submissionId: string): NewDelivery[] {
  const event = 'submission.created';
  return webhooks.map(({ id }) => ({ id: newId('dlv'), webhookId: id, event, submissionId, deleted: null }));
}

/** Parses the URL of a webhook: an absolute http or https URL without credentials. Throws `invalid_input` otherwise. */
export function parseWebhookUrl(text: string): URL {
  const url = parseHttpUrl(text);
  if (url && url.href.length <= MAX_URL_LENGTH) return url;
  throw invalidInput(
    'The URL must be an absolute https URL without user name and password, such as https://hooks.example.com/forms.',
    ['invalid_webhook_url'],
  );
}

/** A field name by RFC 9110, section 5.1. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/i;
/** Visible ASCII, with spaces and tabs inside (RFC 9110, section 5.5). */
const HEADER_VALUE = /^[!-~](?:[\t -~]{0,998}[!-~])?$/;
const RESERVED_HEADER =
  /^(?:host|content-.*|webhook-.*|proxy-.*|connection|transfer-encoding|te|trailer|upgrade|expect|keep-alive)$/i;
export const MAX_HEADERS = 10;

/** Parses headers written as `Name: value`. Throws `invalid_input` for reserved, repeated and malformed ones. */
export function parseHeaders(lines: readonly string[]): WebhookHeaders {
  if (lines.length > MAX_HEADERS) {
    throw invalidInput(`A webhook has at most ${MAX_HEADERS} headers of its own. Remove some.`, [
      'too_many_headers',
      MAX_HEADERS,
    ]);
  }
  const headers = lines.map(parseHeader);
  const names = headers.map(([name]) => name.toLowerCase());
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) {
    throw invalidInput(`The header ${repeated} is given twice. Remove one.`, ['repeated_header', repeated]);
  }
  return headers;
}

function parseHeader(line: string): WebhookHeaders[number] {
  const colon = line.indexOf(':');
  const [name, value] = [line.slice(0, Math.max(0, colon)).trim(), line.slice(colon + 1).trim()];
  // The value may be a secret, so messages name only the header.
  if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value)) {
    throw invalidInput('A header is malformed. Write it like "X-Token: abc", in ASCII, on one line.', [
      'invalid_header',
    ]);
  }
  if (RESERVED_HEADER.test(name)) {
    throw invalidInput(`The header ${name} is set by the server. Use another name.`, ['reserved_header', name]);
  }
  return [name, value];
}

/** Formats a new signing secret from 24 to 64 random bytes (Standard Webhooks 1.0). */
export const formatSigningSecret = (bytes: Uint8Array): string => `whsec_${Buffer.from(bytes).toString('base64')}`;
