import type { Context } from '../../../context.ts';
import { AppError } from '../../../domain/errors.ts';
import type { Form } from '../../../domain/form.ts';
import { readSettings } from '../../../services/read-webhook.ts';
import type { PageContext } from '../../page.ts';
import type { ShownWebhook } from './webhook-buttons.tsx';

/** A webhook and its form. */
export type Found = Readonly<{ form: Form; shown: ShownWebhook }>;

export type Finder = ReturnType<typeof createFinder>;

/** Returns functions that find the form and the webhook of a path. They throw `not_found`. */
export function createFinder({ store, vault, log }: Context) {
  const form = async ({ param, team }: PageContext<'edit'>): Promise<Form> => {
    const found = await store.forms.find(param('formId'), team.id);
    if (!found) throw new AppError('not_found', 'There is no such form.');
    return found;
  };
  const webhook = async (page: PageContext<'edit'>): Promise<Found> => {
    const ofPage = await form(page);
    const found = await store.webhooks.find(page.param('webhookId'), page.team.id);
    if (found?.formId !== ofPage.id) throw new AppError('not_found', 'This form has no such webhook.');
    return { form: ofPage, shown: { webhook: found, settings: readSettings(vault, log, found) } };
  };
  /** Finds a webhook with readable settings. */
  const intact = async (page: PageContext<'edit'>) => {
    const { form: ofPage, shown } = await webhook(page);
    const { settings } = shown;
    if (settings === null) throw new AppError('not_found', 'The settings of this webhook are damaged.');
    return { form: ofPage, shown: { ...shown, settings } };
  };
  return { form, webhook, intact };
}
