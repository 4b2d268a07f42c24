import type { SpamNote } from '../domain/spam/spam.ts';
import type { Payload, Source, StoredSubmission, UploadedFile } from '../domain/submissions/submission.ts';
import { filesAad, payloadAad, sourceAad, spamReasonsAad, UnreadableRecordError, type Vault } from './vault.ts';

/** A submission with the ids and the column that a sealed record of it needs. */
type With<Column extends keyof StoredSubmission> = Pick<StoredSubmission, 'id' | 'formId' | Column>;

/** Opens the payload of a submission, unmasked. Throws `UnreadableRecordError` for a damaged record. */
export function openPayload(vault: Vault, { id, formId, payload }: With<'payload'>): Payload {
  return vault.openPayload(payload, payloadAad(id, formId));
}

/** Opens the file list of a submission, empty for none. Throws `UnreadableRecordError` for a damaged record. */
export function openFiles(vault: Vault, { id, formId, files }: With<'files'>): readonly UploadedFile[] {
  return files === null ? [] : JSON.parse(vault.open(files, filesAad(id, formId)).toString());
}

/** Seals the reasons of the spam filter for a submission. */
export function sealSpamNote(vault: Vault, { id, formId }: With<'id'>, { reasons, isHeld }: SpamNote): Uint8Array {
  return vault.seal(JSON.stringify(isHeld ? reasons : { delivered: reasons }), spamReasonsAad(id, formId));
}

/** Opens the sealed reasons of a submission; held without reasons for none. Throws like `openSpamReasons`. */
export function openSpamNote(vault: Vault, { id, formId, spamReasons }: With<'spamReasons'>): SpamNote {
  if (spamReasons === null) return { reasons: [], isHeld: true };
  const note = JSON.parse(vault.open(spamReasons, spamReasonsAad(id, formId)).toString());
  return Array.isArray(note) ? { reasons: note, isHeld: true } : { reasons: note.delivered, isHeld: false };
}

/** Opens the spam reasons of a submission, empty for none. Throws `UnreadableRecordError` for a damaged record. */
export function openSpamReasons(vault: Vault, submission: With<'spamReasons'>): readonly string[] {
  return openSpamNote(vault, submission).reasons;
}

/** Opens the source of a submission, null if it was not kept. Throws `UnreadableRecordError` for a damaged record. */
export function openSource(vault: Vault, { id, formId, source }: With<'source'>): Source | null {
  return source === null ? null : JSON.parse(vault.open(source, sourceAad(id, formId)).toString());
}

/** Returns the result of `open`, or `fallback` for a damaged record. */
export function openOr<T, F>(open: () => T, fallback: F): T | F {
  try {
    return open();
  } catch (error) {
    if (error instanceof UnreadableRecordError) return fallback;
    throw error;
  }
}
