import { AppError } from '../../domain/errors.ts';
import type { Form } from '../../domain/forms/form.ts';
import { readSettings } from '../../services/webhooks/read-webhook.ts';
import type { PageContext } from '../page.ts';
import type { ShownWebhook } from './webhook-buttons.tsx';

/** A webhook and its form. */
export type FormWebhook = Readonly<{ form: Form; shown: ShownWebhook }>;

/** Finds the form of the path. Throws `not_found`. */
export async function findForm({ context, param, team }: PageContext<'edit'>): Promise<Form> {
  const form = await context.store.forms.find(param('formId'), team.id);
  if (!form) throw new AppError('not_found', 'There is no such form.');
  return form;
}

/** Finds the webhook of the path. Throws `not_found`. */
export async function findWebhook(page: PageContext<'edit'>): Promise<FormWebhook> {
  const { store, vault, log } = page.context;
  const form = await findForm(page);
  const webhook = await store.webhooks.find(page.param('webhookId'), page.team.id);
  if (webhook?.formId !== form.id) throw new AppError('not_found', 'This form has no such webhook.');
  return { form, shown: { webhook, settings: readSettings(vault, log, webhook) } };
}

/** Finds a webhook with readable settings. Throws `not_found`. */
export async function findIntactWebhook(page: PageContext<'edit'>) {
  const { form, shown } = await findWebhook(page);
  const { settings } = shown;
  if (settings === null) throw new AppError('not_found', 'The settings of this webhook are damaged.');
  return { form, shown: { ...shown, settings } };
}
