import { AppError } from '../domain/errors.ts';
import type { StoredMail } from '../domain/mail.ts';
import { maskPayload } from '../domain/masking.ts';
import type { Payload, StoredSubmission, UploadedFile } from '../domain/submission.ts';
import type { Logger } from '../lib/log.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { Store } from '../storage/store.ts';
import { openFile, sealedSize } from '../vault/file-cipher.ts';
import {
  filesAad,
  mailReasonAad,
  payloadAad,
  spamReasonsAad,
  UnreadableRecordError,
  type Vault,
} from '../vault/vault.ts';

/**
 * The payload of a stored submission, masked, ready to be shown. Null if its record does not open: it was damaged or
 * tampered with, which is logged, and must not take the page it stands on down with it.
 */
export function readPayload(vault: Vault, log: Logger, { id, formId, payload }: StoredSubmission): Payload | null {
  return unlessDamaged(log, id, () => maskPayload(vault.openPayload(payload, payloadAad(id, formId))));
}

/** The files that came with a submission, in order; none if the list does not open, which is logged. */
export function readFiles(vault: Vault, log: Logger, { id, formId, files }: StoredSubmission): readonly UploadedFile[] {
  if (files === null) return [];
  return unlessDamaged(log, id, () => vault.openFiles(files, filesAad(id, formId))) ?? [];
}

/** Why a submission was flagged as spam, in words; none if it was not. */
export function readSpamReasons(
  vault: Vault,
  log: Logger,
  { id, formId, spamReasons }: StoredSubmission,
): readonly string[] {
  if (spamReasons === null) return [];
  const open = () => JSON.parse(vault.open(spamReasons, spamReasonsAad(id, formId)).toString());
  return unlessDamaged(log, id, open) ?? [];
}

/** What the server said last of a mail that it did not take; null if it said nothing. */
export function readMailReason(vault: Vault, log: Logger, { id, formId, reason }: StoredMail): string | null {
  return reason && unlessDamaged(log, id, () => vault.open(reason, mailReasonAad(id, formId)).toString());
}

function unlessDamaged<T>(log: Logger, submission: string, open: () => T): T | null {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof UnreadableRecordError)) throw error;
    log.error('a stored submission cannot be read', { submission, reason: error.message });
    return null;
  }
}

type Deps = Readonly<{ store: Store; blobs: Blobs; log: Logger }>;

/**
 * The bytes of a file, opened while they are read. Throws `file_damaged` if the file is missing or not as long as it was;
 * if it turns out to be changed only on the way, the stream breaks off. Both are logged. Where the submission was deleted
 * meanwhile, both are `not_found`; a file that is being read is read to its end.
 */
export async function openStoredFile(
  { store, blobs, log }: Deps,
  submission: string,
  { id, blob, key, size }: UploadedFile,
): Promise<AsyncGenerator<Uint8Array>> {
  const complain = async (reason: string) => {
    if (!(await store.findSubmissionWithForm(submission))) {
      throw new AppError('not_found', 'There is no such file: its submission was deleted just now.');
    }
    log.error('a stored file cannot be read', { submission, file: id, reason });
  };
  const sealed = await blobs.read(blob);
  if (sealed?.size !== sealedSize(size)) {
    await complain(sealed ? 'of another length' : 'missing');
    throw damaged();
  }
  return unlessChanged(openFile(Buffer.from(key, 'base64'), sealed.bytes), complain);
}

async function* unlessChanged(
  bytes: AsyncIterable<Uint8Array>,
  complain: (reason: string) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    const isChanged = error instanceof UnreadableRecordError;
    await complain(isChanged ? error.message : 'the disk does not give it');
    throw isChanged ? damaged(error) : error;
  }
}

function damaged(cause?: Error): AppError {
  return new AppError('file_damaged', 'The stored file is damaged and cannot be read. It is noted in the log.', {
    cause,
  });
}
