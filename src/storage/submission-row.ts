import type { AcceptWrites } from './accept-decision.ts';
import type { NewSubmission } from './records.ts';

/** The columns that accepting writes, in the order of `submissionRow`, and their types in PostgreSQL. */
const TYPES = {
  created_at: 'bigint',
  id: 'text',
  form_id: 'text',
  is_spam: 'boolean',
  is_maybe_spam: 'boolean',
  payload: 'bytea',
  files: 'bytea',
  spam_reasons: 'bytea',
  file_bytes: 'bigint',
  source: 'bytea',
};

export const SUBMISSION_COLUMNS = Object.keys(TYPES);

export const SUBMISSION_TYPES = Object.values(TYPES);

/** Returns the values of a new submission with the id and the time of its row. */
export function submissionRow(submission: NewSubmission, { id, createdAt }: AcceptWrites['rows'][number]) {
  const { formId, isSpam, isMaybeSpam = false, payload, files, spamReasons } = submission;
  const { fileBytes = 0, source = null } = submission;
  return [createdAt, id, formId, isSpam, isMaybeSpam, payload, files, spamReasons, fileBytes, source] as const;
}
