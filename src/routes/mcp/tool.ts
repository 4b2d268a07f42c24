import type { Static, TObject } from '@sinclair/typebox';
import { type ApiKey, allowsForm } from '../../domain/api-key.ts';
import type { AuditAction, AuditDetails } from '../../domain/audit.ts';
import { AppError } from '../../domain/errors.ts';
import type { Form } from '../../domain/form.ts';
import type { StoredSubmission } from '../../domain/submission.ts';
import type { Store } from '../../storage/store.ts';

/** The caller of a tool. `record` writes an audit entry with the key as actor. */
export type Caller = Readonly<{
  key: ApiKey;
  plan: string;
  record: (action: AuditAction, details: AuditDetails) => Promise<void>;
}>;

/** A tool that only reads. `run` returns the text of its result, and throws `AppError` for a refusal. */
export type Tool = Readonly<{
  name: string;
  title: string;
  description: string;
  input: TObject;
  run: (input: never, caller: Caller) => Promise<string>;
}>;

/** Declares a tool with the type of its input. */
export function tool<Input extends TObject>(
  declared: Omit<Tool, 'input' | 'run'> &
    Readonly<{ input: Input; run: (input: Static<Input>, caller: Caller) => Promise<string> }>,
): Tool {
  return declared;
}

/** Lists the forms that the key may read. */
export async function listAllowedForms(store: Store, { key }: Caller): Promise<readonly Form[]> {
  return (await store.forms.list(key.teamId)).filter(({ id }) => allowsForm(key, id));
}

/** Finds a form that the key may read, by id or short id. Throws `not_found`. */
export async function requireAllowedForm(store: Store, idOrShortId: string, caller: Caller): Promise<Form> {
  const forms = await listAllowedForms(store, caller);
  const form = forms.find(({ id, shortId }) => id === idOrShortId || shortId === idOrShortId);
  if (form) return form;
  throw new AppError('not_found', 'There is no such form in this team.');
}

/** Finds a submission that the key may read, outside the trash. Throws `not_found`. */
export async function requireAllowedSubmission(store: Store, id: string, { key }: Caller): Promise<StoredSubmission> {
  const submission = await store.submissions.find(id, key.teamId);
  if (submission && allowsForm(key, submission.formId)) return submission;
  throw new AppError('not_found', 'There is no such submission in this team.');
}
