import type { AcceptedSubmission } from './accept-decision.ts';

/** The columns that accepting writes, in the order of `submissionRow`, and their types in PostgreSQL. */
const TYPES = {
  created_at: 'bigint',
  id: 'text',
  form_key: 'bigint',
  is_spam: 'boolean',
  is_maybe_spam: 'boolean',
  payload: 'bytea',
  files: 'bytea',
  spam_reasons: 'bytea',
  file_bytes: 'bigint',
  source: 'bytea',
  address: 'text',
  confirm_hash: 'text',
  consent: 'text',
};

export const SUBMISSION_COLUMNS = Object.keys(TYPES);

export const SUBMISSION_TYPES = Object.values(TYPES);

/** Returns the values of the columns for a new submission. */
export function submissionRow({ submission, formKey, id, createdAt }: AcceptedSubmission) {
  const { isSpam, isMaybeSpam = false, payload, files, spamReasons } = submission;
  const { fileBytes = 0, source = null, address = null, confirmHash = null, consent = null } = submission;
  return [
    createdAt,
    id,
    formKey,
    isSpam,
    isMaybeSpam,
    payload,
    files,
    spamReasons,
    fileBytes,
    source,
    address,
    confirmHash,
    consent,
  ] as const;
}
