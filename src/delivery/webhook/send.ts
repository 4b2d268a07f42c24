import { createHmac } from 'node:crypto';
import type { SigningSecret, Webhook, WebhookKind } from '../../domain/webhooks/webhook.ts';
import type { SealedSettings } from '../../domain/webhooks/webhook-settings.ts';
import { type Micros, SECOND } from '../../lib/clock.ts';
import type { Vault } from '../../vault/vault.ts';
import { targetEvent } from '../targets/event.ts';
import { TARGETS } from '../targets/index.ts';
import type { SheetsClient } from '../targets/sheets.ts';
import type { TargetRequest } from '../targets/target.ts';
import { eventBody, type FormEvent, type SerializeSubmission } from './event.ts';
import { type Attempt, attempt, type Poster } from './post.ts';

export type SendDeps = Readonly<{
  poster: Poster;
  vault: Vault;
  serialize: SerializeSubmission;
  /** Null without `BASE_URL`. */
  baseUrl: string | null;
  sheets: SheetsClient;
}>;

/** The request that was sent, null for Google Sheets, and its outcome. */
export type Sent = Readonly<{ request: TargetRequest | null; attempt: Attempt }>;

/** An event and the `webhook-id` of its delivery. */
export type IdentifiedEvent = Readonly<{ id: string; event: FormEvent }>;

/**
 * Renders events from current data and sends them to a webhook or target in one attempt. `otherEvents` are
 * delivered with the first, if the kind takes several (`batchSize`).
 */
export async function sendEvent(
  deps: SendDeps,
  { kind, body }: Webhook,
  settings: SealedSettings,
  { id, event }: IdentifiedEvent,
  { otherEvents = [], signal }: Readonly<{ otherEvents?: readonly FormEvent[]; signal?: AbortSignal }> = {},
): Promise<Sent> {
  const { poster, serialize, sheets } = deps;
  const options = signal ? { signal } : {};
  if (kind === 'standard') {
    const request = standardRequest(settings, id, eventBody(event, body, serialize), poster.clock());
    return { request, attempt: await attempt(poster, (exchange) => exchange(request), options) };
  }
  const { prepare, interpret, maxBytes } = TARGETS[kind];
  const shown = [event, ...otherEvents].map((each) => targetEvent(deps, each, body));
  const { request, run } = prepare(settings, shown, sheets);
  return { request, attempt: await attempt(poster, run, { ...options, interpret, ...(maxBytes && { maxBytes }) }) };
}

/** Returns how many submissions one attempt may deliver. */
export function batchSize(kind: WebhookKind): number {
  return kind === 'standard' ? 1 : (TARGETS[kind].batch ?? 1);
}

/** Returns the signed request of a standard webhook (Standard Webhooks 1.0). `id` is the same on every attempt. */
function standardRequest(
  { url, secrets, headers }: SealedSettings,
  id: string,
  body: string,
  now: Micros,
): TargetRequest {
  const timestamp = String(Math.floor(now / SECOND));
  const signatures = activeSecrets(secrets, now).map(({ secret }) => sign(secret, `${id}.${timestamp}.${body}`));
  return {
    url,
    body,
    headers: {
      ...Object.fromEntries(headers),
      'Content-Type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    },
  };
}

/** Returns the secrets that sign at this time: the current one, and after a rotation the earlier one for a day. */
function activeSecrets(secrets: readonly SigningSecret[], now: Micros): readonly SigningSecret[] {
  return secrets.filter(({ until }) => until === null || until > now);
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}
