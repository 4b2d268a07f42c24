import type { UploadedFile } from '../domain/submission.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { SealedCursor, SealedRecord, Store } from '../storage/store.ts';
import { openFile, sealedSize } from '../vault/file-cipher.ts';
import { UnreadableRecordError, type Vault } from '../vault/vault.ts';
import { submissionExists } from './read-submission.ts';

type Deps = Readonly<{ store: Store; vault: Vault; blobs: Blobs }>;

/** An unreadable record (`what` is its column), or an unreadable file of the submission `row` (`what` is its id). */
export type Unreadable = Readonly<{ table: string; row: string; what: string; says: string }>;

/** Numbers of records and files that were opened. */
export type CheckCounts = { records: number; files: number };

/** Opens all sealed records and files completely and yields the unreadable ones, except those deleted meanwhile. */
export async function* findUnreadable(deps: Deps, counts: CheckCounts): AsyncGenerator<Unreadable> {
  let from: SealedCursor | null = null;
  do {
    const { records, next } = await deps.store.listSealedRecords(from, null);
    for (const one of records) {
      const { table, row, column } = one.aad;
      const opened = open(deps.vault, one);
      if (typeof opened === 'string') {
        yield { table, row, what: column, says: opened };
        continue;
      }
      counts.records += 1;
      if (table !== 'submissions' || column !== 'files') continue;
      for (const file of JSON.parse(opened.toString()) as UploadedFile[]) {
        const fault = await fileFault(deps.blobs, file);
        if (fault === null) counts.files += 1;
        else if (await submissionExists(deps.store, row)) yield { table, row, what: file.id, says: fault };
      }
    }
    from = next;
  } while (from);
}

/** Returns the plaintext, or the fault of an unreadable record as a string. */
function open(vault: Vault, { record, aad }: SealedRecord): Buffer | string {
  try {
    return vault.open(record, aad);
  } catch (error) {
    if (error instanceof UnreadableRecordError) return error.message;
    throw error;
  }
}

/** Returns the fault of an unreadable file; null if it is intact. */
async function fileFault(blobs: Blobs, { blob, key, size }: UploadedFile): Promise<string | null> {
  const sealed = await blobs.read(blob);
  if (!sealed) return 'missing';
  if (sealed.size !== sealedSize(size)) return 'wrong length';
  try {
    for await (const _ of openFile(Buffer.from(key, 'base64'), sealed.bytes));
    return null;
  } catch (error) {
    return error instanceof UnreadableRecordError ? error.message : 'read error';
  }
}
