import { type ApiKey, allowsForm } from '../domain/api-key.ts';
import { noSuch } from '../domain/errors.ts';
import type { Store } from '../storage/store.ts';

/** The parameters that `requireAllowedPath` checks. */
const CHECKED = /:(?:formId|submissionId|webhookId)(?:\/|$)/;

/** Reports whether the path of an operation has an id that `requireAllowedPath` checks. */
export const isCheckedPath = (path: string): boolean => CHECKED.test(path);

type Params = Readonly<{ formId?: string; submissionId?: string; webhookId?: string }>;

/** Throws `not_found` unless a limited key may see the form, submission or webhook of the path. */
export async function requireAllowedPath(store: Store, key: ApiKey, params: Params): Promise<void> {
  const { formId, submissionId, webhookId } = params;
  if (formId !== undefined && !(await isAllowedForm(store, key, formId))) noSuch('form');
  if (submissionId !== undefined) {
    const found = await store.mails.findFormOfSubmission(submissionId);
    if (!found || !allowsForm(key, found.form.id)) noSuch('submission');
  }
  if (webhookId !== undefined) {
    const webhook = await store.webhooks.find(webhookId);
    if (!webhook || !allowsForm(key, webhook.formId)) noSuch('webhook');
  }
}

/** Reports whether the key may see a form, in the trash too, by its id or short id. */
async function isAllowedForm(store: Store, key: ApiKey, idOrShortId: string): Promise<boolean> {
  if (allowsForm(key, idOrShortId)) return true;
  const forms = await Promise.all((key.formIds ?? []).map((id) => store.forms.findStored(id)));
  return forms.some((form) => form?.shortId === idOrShortId);
}
