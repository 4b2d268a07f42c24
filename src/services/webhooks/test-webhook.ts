import { AppError } from '../../domain/errors.ts';
import { samplePayload } from '../../domain/fields/field-types.ts';
import type { Form } from '../../domain/forms/form.ts';
import { FORM_TEMPLATES } from '../../domain/forms/form-templates.ts';
import type { StoredSubmission } from '../../domain/submissions/submission.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { Micros } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { ShareExhaustedError } from '../../lib/outgoing-shares.ts';
import { type Sent, sendEvent } from '../../outbox/webhook/send.ts';
import { openSettings } from '../../vault/open-webhook.ts';
import { payloadAad, type Vault } from '../../vault/vault.ts';
import type { Services } from '../services.ts';
import { serializeSubmission } from '../submissions/serialize-submission.ts';

type Deps = Pick<Services, 'store' | 'vault' | 'clock' | 'log' | 'network'> &
  Readonly<{ config: Readonly<{ baseUrl: string | null }> }>;

/**
 * Sends `webhook.test` at once, signed like any event, with the newest submission of the form, or a sample if there is none.
 * Returns the request and its outcome. Throws `AppError('rate_limited')` while other tests of the team, or of several teams,
 * wait for their endpoints.
 */
export async function testWebhook(deps: Deps, webhook: Webhook, teamId: string): Promise<Sent> {
  const { store, vault, clock, network, config } = deps;
  const form = await store.forms.findStored(webhook.formId);
  if (!form) throw new Error('the form of the webhook is missing');
  const [submission = sampleSubmission(vault, form, clock())] =
    (await store.submissions.listRecent(form.id, { onlySpam: false, limit: 1 })) ?? [];
  const event = { type: 'webhook.test', form, submission, deleted: null, createdAt: clock() } as const;
  const sendDeps = {
    poster: { network, clock },
    tokens: new Map(),
    vault,
    baseUrl: config.baseUrl,
    serialize: (stored: StoredSubmission) => serializeSubmission(deps, stored),
  };
  const send = () => sendEvent(sendDeps, webhook, openSettings(vault, webhook), { id: newId('dlv'), event });
  try {
    return await network.shares.run('test', teamId, send);
  } catch (error) {
    if (!(error instanceof ShareExhaustedError)) throw error;
    throw new AppError('rate_limited', 'Another test is waiting for its endpoint. Try again when it has ended.', {
      headers: { 'Retry-After': '15' },
      reason: ['test_running'],
    });
  }
}

/** Returns a submission that is not stored, with a plausible value for each field. */
function sampleSubmission(vault: Vault, { id: formId, fields }: Form, createdAt: Micros): StoredSubmission {
  const id = newId('sub');
  const payload = samplePayload(fields.length > 0 ? fields : FORM_TEMPLATES.contact);
  const unmarked = { isSpam: false, isMaybeSpam: false, isStarred: false };
  const absent = { files: null, spamReasons: null, source: null, readAt: null, assignedTo: null, trashedAt: null };
  const unasked = { confirmHash: null, confirmMailedAt: null, confirmedAt: null, consent: null, consentText: null };
  const sealed = vault.sealPayload(payload, payloadAad(id, formId));
  return { id, formId, createdAt, payload: sealed, ...unmarked, ...absent, ...unasked };
}
