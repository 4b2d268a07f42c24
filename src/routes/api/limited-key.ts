import { type ApiKey, allowsForm } from '../../domain/api-key.ts';
import { AppError } from '../../domain/errors.ts';
import { formNotFound } from '../../services/forms.ts';
import type { Store } from '../../storage/store.ts';

/** Operations without an id in the path that are open to limited keys. Their handlers ask `allowsForm` for each form. */
const FILTERED: readonly string[] = [
  'GET /v1/forms',
  'GET /v1/workspaces',
  'GET /v1/submissions',
  'POST /v1/submissions/delete',
  'GET /v1/usage',
  'GET /v1/me',
  'POST /mcp',
];

/** The parameters that `requireAllowedPath` checks. */
const CHECKED = /:(?:formId|submissionId|webhookId)(?:\/|$)/;

/** Reports whether a key that is limited to forms may call an operation at all. New operations are closed to it. */
export function isOpenToLimitedKeys(method: string, route: string): boolean {
  return CHECKED.test(route) || FILTERED.includes(`${method === 'HEAD' ? 'GET' : method} ${route}`);
}

type Params = Readonly<{ formId?: string; submissionId?: string; webhookId?: string }>;

/** Throws `not_found` unless a limited key may see the form, submission or webhook of the path. */
export async function requireAllowedPath(store: Store, key: ApiKey, params: Params = {}): Promise<void> {
  const { formId, submissionId, webhookId } = params;
  if (formId !== undefined && !(await isAllowedForm(store, key, formId))) formNotFound();
  if (submissionId !== undefined) {
    const found = await store.mails.findFormOfSubmission(submissionId);
    if (!found || !allowsForm(key, found.form.id)) {
      throw new AppError('not_found', 'There is no such submission in this team.');
    }
  }
  if (webhookId !== undefined) {
    const webhook = await store.webhooks.find(webhookId);
    if (!webhook || !allowsForm(key, webhook.formId)) {
      throw new AppError('not_found', 'There is no such webhook in this team.');
    }
  }
}

/** Reports whether the key may see a form, in the trash too, by its id or short id. */
async function isAllowedForm(store: Store, key: ApiKey, idOrShortId: string): Promise<boolean> {
  if (allowsForm(key, idOrShortId)) return true;
  const forms = await Promise.all((key.formIds ?? []).map((id) => store.forms.findStored(id)));
  return forms.some((form) => form?.shortId === idOrShortId);
}
