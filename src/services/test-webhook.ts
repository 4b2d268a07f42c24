import { type Attempt, type HttpRequest, post } from '../delivery/webhook/post.ts';
import { renderRequest } from '../delivery/webhook/render.ts';
import type { Webhook } from '../domain/webhook.ts';
import type { Clock } from '../lib/clock.ts';
import type { GuardedNetwork } from '../lib/guarded-fetch.ts';
import { newId } from '../lib/ids.ts';
import type { Logger } from '../lib/log.ts';
import type { Store } from '../storage/store.ts';
import { openSettings } from '../vault/open-webhook.ts';
import type { Vault } from '../vault/vault.ts';
import { serializeSubmission } from './serialize-submission.ts';

type Deps = Readonly<{ store: Store; vault: Vault; clock: Clock; log: Logger; network: GuardedNetwork }>;

/**
 * Sends `webhook.test` at once, signed like any event, with the newest submission of the form if there is one. Returns the
 * request and its outcome.
 */
export async function testWebhook(
  deps: Deps,
  webhook: Webhook,
): Promise<Readonly<{ request: HttpRequest; attempt: Attempt }>> {
  const { store, vault, clock, network } = deps;
  const form = await store.findPublicForm(webhook.formId);
  if (!form) throw new Error('the form of the webhook is missing');
  const [submission = null] = (await store.listRecentSubmissions(form.id, { onlySpam: false, limit: 1 })) ?? [];
  const event = { id: newId('dlv'), event: 'webhook.test', createdAt: clock(), webhook, form, deleted: null } as const;
  const request = renderRequest(
    { clock, serialize: (stored) => serializeSubmission(deps, stored) },
    openSettings(vault, webhook),
    { ...event, submission },
  );
  return { request, attempt: await post({ network, clock }, request) };
}
