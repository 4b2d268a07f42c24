import type { Static, TObject } from '@sinclair/typebox';
import type { AuditAction, AuditDetails } from '../../domain/audit.ts';
import { noSuch } from '../../domain/errors.ts';
import type { StoredSubmission } from '../../domain/submissions/submission.ts';
import type { Store } from '../../storage/store.ts';
import { requireSubmission } from '../find.ts';
import type { Caller as KeyCaller } from '../key-guard.ts';

/** The caller of a tool. `record` writes an audit entry with the key as actor. */
export type Caller = KeyCaller & Readonly<{ record: (action: AuditAction, details: AuditDetails) => Promise<void> }>;

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

/** Finds a submission that the key may read, outside the trash. Throws `not_found`. */
export async function requireAllowedSubmission(store: Store, id: string, caller: Caller): Promise<StoredSubmission> {
  const submission = await requireSubmission(store, id, caller.teamId);
  return caller.allowsForm(submission.formId) ? submission : noSuch('submission');
}
