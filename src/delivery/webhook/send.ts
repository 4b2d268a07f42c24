import type { Webhook, WebhookSettings } from '../../domain/webhook.ts';
import type { Vault } from '../../vault/vault.ts';
import { targetEvent } from '../targets/event.ts';
import { TARGETS } from '../targets/index.ts';
import { interpretSheets, parseSheets, SheetsClient } from '../targets/sheets.ts';
import type { Reading, TargetAnswer, TargetRequest } from '../targets/target.ts';
import { eventBody, type FormEvent, type SerializeSubmission } from './event.ts';
import { type Attempt, attempt, type Poster } from './post.ts';
import { standardRequest } from './standard.ts';

export type SendDeps = Readonly<{
  poster: Poster;
  vault: Vault;
  serialize: SerializeSubmission;
  /** Null without `BASE_URL`. */
  baseUrl: string | null;
}>;

/** The request that was sent, null for Google Sheets, and its outcome. */
export type Sent = Readonly<{ request: TargetRequest | null; attempt: Attempt }>;

const MAX_SHEET_BYTES = 256 * 1024;

/** Reads a refusal of Google. It never replaces settings. */
function readSheets(answer: TargetAnswer): Reading<WebhookSettings> {
  const { settings: _, ...reading } = interpretSheets(answer);
  return reading;
}

/** Renders an event from current data and sends it to a webhook or target. `id` is the `webhook-id`. */
export async function sendEvent(
  deps: SendDeps,
  { kind, body }: Webhook,
  settings: WebhookSettings,
  id: string,
  event: FormEvent,
  signal?: AbortSignal,
): Promise<Sent> {
  const { poster, serialize } = deps;
  const options = signal ? { signal } : {};
  if (kind === 'standard') {
    const request = standardRequest(settings, id, eventBody(event, body, serialize), poster.clock());
    return { request, attempt: await attempt(poster, (exchange) => exchange(request), options) };
  }
  const shown = targetEvent(deps, event, body);
  if (kind === 'sheets') {
    const run = (exchange: ConstructorParameters<typeof SheetsClient>[0]) =>
      new SheetsClient(exchange, poster.clock).append(parseSheets(settings), [shown]);
    const sheets = { ...options, maxBytes: MAX_SHEET_BYTES, interpret: readSheets };
    return { request: null, attempt: await attempt(poster, run, sheets) };
  }
  const { format, interpret } = TARGETS[kind];
  const formatted = format(settings, shown);
  const request = { ...formatted, headers: { ...Object.fromEntries(settings.headers), ...formatted.headers } };
  return { request, attempt: await attempt(poster, (exchange) => exchange(request), { ...options, interpret }) };
}
