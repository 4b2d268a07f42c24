import type { UploadedFile } from '../domain/submission.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { SealedCursor, SealedRecord, Store } from '../storage/store.ts';
import { openFile, sealedSize } from '../vault/file-cipher.ts';
import { UnreadableRecordError, type Vault } from '../vault/vault.ts';

type Deps = Readonly<{ store: Store; vault: Vault; blobs: Blobs }>;

/** Something that does not open: a record by its row and column, or a file of the submission `row` by its id. */
export type Unreadable = Readonly<{ table: string; row: string; what: string; says: string }>;

/** How much was opened so far. */
export type CheckCounts = { records: number; files: number };

/** Opens every sealed record and every file, to its last byte, and finds those that do not open. What is deleted meanwhile is left out. */
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
        const fault = await faultOf(deps.blobs, file);
        if (fault === null) counts.files += 1;
        else if (await deps.store.findSubmissionWithForm(row)) yield { table, row, what: file.id, says: fault };
      }
    }
    from = next;
  } while (from);
}

/** What is in it, or why it does not open. */
function open(vault: Vault, { record, aad }: SealedRecord): Buffer | string {
  try {
    return vault.open(record, aad);
  } catch (error) {
    if (error instanceof UnreadableRecordError) return error.message;
    throw error;
  }
}

async function faultOf(blobs: Blobs, { blob, key, size }: UploadedFile): Promise<string | null> {
  const sealed = await blobs.read(blob);
  if (!sealed) return 'missing';
  if (sealed.size !== sealedSize(size)) return 'of another length';
  try {
    for await (const _ of openFile(Buffer.from(key, 'base64'), sealed.bytes));
    return null;
  } catch (error) {
    return error instanceof UnreadableRecordError ? error.message : 'the disk does not give it';
  }
}
