import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { SealedSettings } from '../../domain/webhooks/webhook-settings.ts';
import type { Vault } from '../../vault/vault.ts';
import { targetEvent } from '../targets/event.ts';
import { getKind } from '../targets/index.ts';
import type { Tokens } from '../targets/kind.ts';
import type { TargetRequest } from '../targets/target.ts';
import { eventBody, type FormEvent, type SerializeSubmission } from './event.ts';
import { type Attempt, attempt, type Poster } from './post.ts';

export type SendDeps = Readonly<{
  poster: Poster;
  vault: Vault;
  serialize: SerializeSubmission;
  /** Null without `BASE_URL`. */
  baseUrl: string | null;
  tokens: Tokens;
}>;

/** The request that was sent, null for Google Sheets, and its outcome. */
export type Sent = Readonly<{ request: TargetRequest | null; attempt: Attempt }>;

/** An event and the `webhook-id` of its delivery. */
export type IdentifiedEvent = Readonly<{ id: string; event: FormEvent }>;

/**
 * Renders events from current data and sends them to a webhook or target in one attempt. `otherEvents` are
 * delivered with the first, if the kind takes several.
 */
export async function sendEvent(
  deps: SendDeps,
  webhook: Webhook,
  settings: SealedSettings,
  { id, event }: IdentifiedEvent,
  { otherEvents = [], signal }: Readonly<{ otherEvents?: readonly FormEvent[]; signal?: AbortSignal }> = {},
): Promise<Sent> {
  const { poster, serialize, tokens } = deps;
  const { prepare, interpret, maxBytes } = getKind(webhook.kind);
  const present = (each: FormEvent) => targetEvent(deps, each, webhook.body);
  const { request, run } = prepare(settings, {
    id,
    now: poster.clock(),
    events: () => [present(event), ...otherEvents.map(present)],
    toJson: () => eventBody(event, webhook.body, serialize),
    tokens,
  });
  const options = { ...(signal && { signal }), ...(maxBytes && { maxBytes }), ...(interpret && { interpret }) };
  return { request, attempt: await attempt(poster, run, options) };
}
