import type { Context } from '../context/context.ts';
import { noSuch, notFound } from '../domain/errors.ts';
import type { Form } from '../domain/forms/form.ts';
import type { StoredSubmission } from '../domain/submissions/submission.ts';
import type { Workspace } from '../domain/teams/team.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import { readSettings } from '../services/webhooks/read-webhook.ts';
import type { Store } from '../storage/store.ts';

/** Returns a form by its id or short id. Throws `not_found` if the team has no such form. */
export async function requireForm(store: Store, idOrShortId: string, teamId: string): Promise<Form> {
  const found = await store.forms.findPublic(idOrShortId);
  return (found && (await store.forms.find(found.id, teamId))) ?? noSuch('form');
}

/** Returns a form in the trash by its id or short id. Throws `not_found` if the team has no such form there. */
export async function requireTrashedForm(store: Store, idOrShortId: string, teamId: string): Promise<Form> {
  const trashed = await store.forms.list(teamId, 'trashed');
  return trashed.find(({ id, shortId }) => id === idOrShortId || shortId === idOrShortId) ?? noSuch('form');
}

/** Returns a submission outside the trash. Throws `not_found` if the team has no such submission. */
export async function requireSubmission(store: Store, id: string, teamId: string): Promise<StoredSubmission> {
  return (await store.submissions.find(id, teamId)) ?? noSuch('submission');
}

/** Returns a workspace. Throws `not_found` if the team has no such workspace. */
export async function requireWorkspace(store: Store, id: string, teamId: string): Promise<Workspace> {
  const workspace = await store.workspaces.find(id);
  return workspace?.teamId === teamId ? workspace : noSuch('workspace');
}

/** Returns a webhook of a form outside the trash. Throws `not_found` if the team has no such webhook. */
export async function requireWebhook(store: Store, id: string, teamId: string): Promise<Webhook> {
  const webhook = await store.webhooks.find(id, teamId);
  return webhook && (await store.forms.find(webhook.formId, teamId)) ? webhook : noSuch('webhook');
}

/** Returns a webhook with readable settings. Throws `not_found`. */
export async function requireIntactWebhook(context: Context, id: string, teamId: string): Promise<Webhook> {
  const webhook = await requireWebhook(context.store, id, teamId);
  if (readSettings(context.vault, context.log, webhook)) return webhook;
  throw notFound('The settings of this webhook are damaged. Delete it and create a new one.');
}
