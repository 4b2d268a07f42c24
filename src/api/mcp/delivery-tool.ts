import { Type } from '@sinclair/typebox';
import type { Context } from '../../context/context.ts';
import { invalidInput } from '../../domain/errors.ts';
import { formatTime, type Micros } from '../../lib/clock.ts';
import type { Store } from '../../storage/store.ts';
import { listFormIds } from '../list-submissions.ts';
import { type Caller, requireAllowedSubmission, type Tool, tool } from './tool.ts';

/** Limit of the count of mails and deliveries per state. */
const MAX_COUNTED = 1_000;
const MAX_FAILING = 50;

/** Returns the tool for the state of mails and webhooks. */
export function deliveryState({ store }: Context): Tool {
  return tool({
    name: 'delivery_state',
    title: 'Delivery state',
    description: `Returns the mails of a submission with submission_id, the webhooks of a form with form_id, or without either the mails and failing webhooks of the team. Counts end at ${MAX_COUNTED}.`,
    input: Type.Object(
      {
        submission_id: Type.Optional(Type.String()),
        form_id: Type.Optional(Type.String({ description: 'Id or short id of a form.' })),
      },
      { additionalProperties: false, maxProperties: 1 },
    ),
    run: async ({ submission_id, form_id }, caller) => {
      if (submission_id !== undefined) return JSON.stringify(await readMails(store, submission_id, caller));
      if (form_id !== undefined) return JSON.stringify(await readWebhooks(store, form_id, caller));
      return JSON.stringify(await readTeamState(store, caller));
    },
  });
}

async function readMails(store: Store, submissionId: string, caller: Caller) {
  const { id } = await requireAllowedSubmission(store, submissionId, caller);
  const mails = (await store.inbox.listMailsOf(id)).map(({ kind, state, failures, settledAt }) => {
    return { kind, state: state === 'dead' ? 'failed' : state, failures, settled_at: timeOrNull(settledAt) };
  });
  return { submission_id: id, mails };
}

async function readWebhooks(store: Store, formId: string, caller: Caller) {
  const [id = ''] = await listFormIds(store, caller.teamId, formId, caller.allowsForm);
  const webhooks = (await store.webhooks.list(id)).map(async (webhook) => {
    const { waiting, lastFailed } = await store.deliveries.readBacklog(webhook.id, MAX_COUNTED);
    return {
      id: webhook.id,
      kind: webhook.kind,
      is_active: webhook.isActive,
      disabled_reason: webhook.disabledReason,
      failing_since: timeOrNull(webhook.failingSince),
      waiting,
      last_failed_status: lastFailed?.lastStatus ?? null,
    };
  });
  return { form_id: id, webhooks: await Promise.all(webhooks) };
}

async function readTeamState(store: Store, { key: { teamId, formIds } }: Caller) {
  if (formIds !== null) {
    throw invalidInput('This key is limited to forms. Pass form_id or submission_id.');
  }
  const [queued, retrying, failed, failing] = await Promise.all([
    store.mails.countOfTeam(teamId, 'queued', MAX_COUNTED),
    store.mails.countOfTeam(teamId, 'retrying', MAX_COUNTED),
    store.mails.countOfTeam(teamId, 'dead', MAX_COUNTED),
    store.webhooks.listFailing(MAX_FAILING, teamId),
  ]);
  const webhooks = failing.map(({ id, formId }) => ({ id, form_id: formId }));
  return { mails: { queued, retrying, failed }, failing_webhooks: webhooks };
}

function timeOrNull(at: Micros | null): string | null {
  return at === null ? null : formatTime(at);
}
