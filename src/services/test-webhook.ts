import { type Sent, sendEvent } from '../delivery/webhook/send.ts';
import type { Webhook } from '../domain/webhook.ts';
import type { Clock } from '../lib/clock.ts';
import type { GuardedNetwork } from '../lib/guarded-fetch.ts';
import { newId } from '../lib/ids.ts';
import type { Logger } from '../lib/log.ts';
import type { Store } from '../storage/store.ts';
import { openSettings } from '../vault/open-webhook.ts';
import type { Vault } from '../vault/vault.ts';
import { serializeSubmission } from './serialize-submission.ts';

type Deps = Readonly<{
  store: Store;
  vault: Vault;
  clock: Clock;
  log: Logger;
  network: GuardedNetwork;
  config: Readonly<{ baseUrl: string | null }>;
}>;

/**
 * Sends `webhook.test` at once, signed like any event, with the newest submission of the form if there is one. Returns the
 * request and its outcome.
 */
export async function testWebhook(deps: Deps, webhook: Webhook): Promise<Sent> {
  const { store, vault, clock, network, config } = deps;
  const form = await store.findPublicForm(webhook.formId);
  if (!form) throw new Error('the form of the webhook is missing');
  const [submission = null] = (await store.listRecentSubmissions(form.id, { onlySpam: false, limit: 1 })) ?? [];
  const event = { type: 'webhook.test', form, submission, deleted: null, createdAt: clock() } as const;
  const sendDeps = {
    poster: { network, clock },
    vault,
    baseUrl: config.baseUrl,
    serialize: (stored: Parameters<typeof serializeSubmission>[1]) => serializeSubmission(deps, stored),
  };
  return sendEvent(sendDeps, webhook, openSettings(vault, webhook), newId('dlv'), event);
}
