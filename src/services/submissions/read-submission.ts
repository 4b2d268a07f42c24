import { AppError, noSuch, notFound } from '../../domain/errors.ts';
import type { StoredMail } from '../../domain/mail/mail.ts';
import { maskPayload } from '../../domain/masking/masking.ts';
import type { SpamNote } from '../../domain/spam/spam.ts';
import type { Payload, Source, StoredSubmission, UploadedFile } from '../../domain/submissions/submission.ts';
import { truncatePayload } from '../../domain/submissions/truncate-payload.ts';
import type { LogFields, Logger } from '../../lib/log.ts';
import type { Store } from '../../storage/store.ts';
import { openFile, sealedSize } from '../../vault/file-cipher.ts';
import { openFiles, openPayload, openSource, openSpamNote } from '../../vault/open-submission.ts';
import { consentAad, mailReasonAad, UnreadableRecordError, type Vault } from '../../vault/vault.ts';
import type { Services } from '../services.ts';

/** Returns a submission, in the trash too, and its form. Throws `not_found`. */
export async function requireStored({ submissions, forms }: Store, id: string, teamId: string) {
  const submission = await submissions.findStored(id, teamId);
  const form = submission && (await forms.find(submission.formId, teamId));
  return form ? { submission, form } : noSuch('submission');
}

/**
 * Returns the masked payload of a submission for display. Returns null and logs if the record is damaged or tampered
 * with, so that one bad record does not break a whole page.
 */
export function readPayload(vault: Vault, log: Logger, submission: StoredSubmission): Payload | null {
  return openSubmission(log, submission.id, () => maskPayload(openPayload(vault, submission)));
}

/** Characters of a value, and of all values of a submission together, in an excerpt. */
const EXCERPT_LENGTH = { value: 1_000, total: 16_000 };

/** Returns the beginning of each value like `readPayload`, at little cost for large payloads. */
export function readExcerpt(vault: Vault, log: Logger, submission: StoredSubmission): Payload | null {
  return openSubmission(log, submission.id, () => {
    const { value, total } = EXCERPT_LENGTH;
    return maskPayload(truncatePayload(openPayload(vault, submission), value, total));
  });
}

/** Returns the files of a submission, in order; empty, with a log line, if the list is damaged. */
export function readFiles(vault: Vault, log: Logger, submission: StoredSubmission): readonly UploadedFile[] {
  return openSubmission(log, submission.id, () => openFiles(vault, submission)) ?? [];
}

/** Returns the reasons for a spam flag in words; empty for a submission that was not flagged. */
export function readSpamReasons(vault: Vault, log: Logger, submission: StoredSubmission): readonly string[] {
  return readSpamNote(vault, log, submission).reasons;
}

/** Returns the reasons of the spam filter, and whether the submission was held for them. */
export function readSpamNote(vault: Vault, log: Logger, submission: StoredSubmission): SpamNote {
  return openSubmission(log, submission.id, () => openSpamNote(vault, submission)) ?? { reasons: [], isHeld: true };
}

/** Returns the masked source of a submission; null if it was not kept. */
export function readSource(vault: Vault, log: Logger, submission: StoredSubmission): Source | null {
  const source = openSubmission(log, submission.id, () => openSource(vault, submission));
  const [[, page] = []] = maskPayload([['page', source?.page ?? null]]);
  return source && { ...source, page: typeof page === 'string' ? page : null };
}

/** Returns the version and text that the visitor agreed to, with a null text if it is damaged; null for none. */
export function readConsent(vault: Vault, log: Logger, { id, consent, consentText }: StoredSubmission) {
  if (consent === null || consentText === null) return null;
  const text = openSubmission(log, id, () => vault.open(consentText, consentAad(consent)).toString());
  return { version: consent, text };
}

/** Returns the last reply of the mail server for an undelivered mail; null if there was none. */
export function readMailReason(vault: Vault, log: Logger, { id, formId, reason }: StoredMail): string | null {
  return reason && openSubmission(log, id, () => vault.open(reason, mailReasonAad(id, formId)).toString());
}

/** Returns whether a submission of any team exists. */
export async function submissionExists(store: Store, id: string): Promise<boolean> {
  return (await store.mails.findSubmissionWithForm(id)) !== null;
}

/** Returns the result of `open`. Returns null and logs if the record is damaged; `message` is logged with `ids`, which identify it. */
export function openOrLog<T>(log: Logger, message: string, ids: LogFields, open: () => T): T | null {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof UnreadableRecordError)) throw error;
    log.error(message, { ...ids, reason: error.message });
    return null;
  }
}

function openSubmission<T>(log: Logger, submission: string, open: () => T): T | null {
  return openOrLog(log, 'could not read a stored submission', { submission }, open);
}

/**
 * Streams the decrypted bytes of a file. Throws `file_damaged` and logs if the file is missing, has a different length
 * or, while reading, fails authentication; `not_found` if the submission was deleted meanwhile. A file that is already
 * being read survives its deletion.
 */
export async function openStoredFile(
  { store, blobs, log }: Pick<Services, 'store' | 'blobs' | 'log'>,
  submission: string,
  { id, blob, key, size }: UploadedFile,
): Promise<AsyncGenerator<Uint8Array>> {
  const report = async (reason: string) => {
    if (!(await submissionExists(store, submission))) {
      throw notFound('The file does not exist: its submission was just deleted.');
    }
    log.error('could not read a stored file', { submission, file: id, reason });
  };
  const sealed = await blobs.read(blob);
  if (sealed?.size !== sealedSize(size)) {
    await report(sealed ? 'wrong length' : 'missing');
    throw damaged();
  }
  return reportingFailure(openFile(Buffer.from(key, 'base64'), sealed.bytes), report);
}

async function* reportingFailure(bytes: AsyncIterable<Uint8Array>, report: (reason: string) => Promise<void>) {
  try {
    yield* bytes;
  } catch (error) {
    const isDamaged = error instanceof UnreadableRecordError;
    await report(isDamaged ? error.message : 'read error');
    throw isDamaged ? damaged(error) : error;
  }
}

function damaged(cause?: Error): AppError {
  const message = 'The stored file is damaged and cannot be read. See the log for details.';
  return new AppError('file_damaged', message, { cause });
}
