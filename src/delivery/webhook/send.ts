import type { Webhook, WebhookSettings } from '../../domain/webhook.ts';
import type { Vault } from '../../vault/vault.ts';
import { targetEvent } from '../targets/event.ts';
import { TARGETS } from '../targets/index.ts';
import { interpretSheets, parseSheets, type SheetsClient } from '../targets/sheets.ts';
import type { Reading, TargetAnswer, TargetRequest } from '../targets/target.ts';
import { eventBody, type FormEvent, type SerializeSubmission } from './event.ts';
import { type Attempt, attempt, type Exchange, type Poster } from './post.ts';
import { standardRequest } from './standard.ts';

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

const MAX_SHEET_BYTES = 256 * 1024;

/** Reads a refusal of Google. It never replaces settings. */
function readSheets(answer: TargetAnswer): Reading<WebhookSettings> {
  const { settings: _, ...reading } = interpretSheets(answer);
  return reading;
}

/** An event and the `webhook-id` of its delivery. */
export type IdentifiedEvent = Readonly<{ id: string; event: FormEvent }>;

/**
 * Renders events from current data and sends them to a webhook or target in one attempt. Only Google Sheets takes several;
 * `others` are appended with the first.
 */
export async function sendEvent(
  deps: SendDeps,
  { kind, body }: Webhook,
  settings: WebhookSettings,
  { id, event }: IdentifiedEvent,
  { others = [], signal }: Readonly<{ others?: readonly FormEvent[]; signal?: AbortSignal }> = {},
): Promise<Sent> {
  const { poster, serialize, sheets } = deps;
  const options = signal ? { signal } : {};
  if (kind === 'standard') {
    const request = standardRequest(settings, id, eventBody(event, body, serialize), poster.clock());
    return { request, attempt: await attempt(poster, (exchange) => exchange(request), options) };
  }
  if (kind === 'sheets') {
    const shown = [event, ...others].map((each) => targetEvent(deps, each, body));
    const limits = { ...options, maxBytes: MAX_SHEET_BYTES, interpret: readSheets };
    const run = (exchange: Exchange) => sheets.append(exchange, parseSheets(settings), shown);
    return { request: null, attempt: await attempt(poster, run, limits) };
  }
  const { format, interpret } = TARGETS[kind];
  const formatted = format(settings, targetEvent(deps, event, body));
  const request = { ...formatted, headers: { ...Object.fromEntries(settings.headers), ...formatted.headers } };
  return { request, attempt: await attempt(poster, (exchange) => exchange(request), { ...options, interpret }) };
}
