import { AppError } from '../../domain/errors.ts';
import type { UploadedFile } from '../../domain/submissions/submission.ts';
import { digestChunks } from '../../lib/file-io.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import type { Blobs } from '../../storage/blobs.ts';
import type { SealedCursor, SealedRecord } from '../../storage/records.ts';
import { openFile, sealedSize } from '../../vault/file-cipher.ts';
import { UnreadableRecordError, type Vault } from '../../vault/vault.ts';
import type { Services } from '../services.ts';
import { submissionExists } from '../submissions/read-submission.ts';

/** Files that are read at once, because each waits for the bucket. */
const FILES_AT_ONCE = 8;

type Deps = Pick<Services, 'store' | 'vault' | 'blobs'>;

/** An unreadable record (`what` is its column), or an unreadable file of the submission `row` (`what` is its id). */
export type Unreadable = Readonly<{ table: string; row: string; what: string; message: string }>;

/** Numbers of records and files that were opened. */
export type CheckCounts = { records: number; files: number };

type FileOfRow = Readonly<{ row: string; file: UploadedFile }>;

/** Opens all sealed records and files completely and yields the unreadable ones, except those deleted meanwhile. */
export async function* findUnreadable(deps: Deps, counts: CheckCounts): AsyncGenerator<Unreadable> {
  let from: SealedCursor | null = null;
  do {
    const { records, next } = await deps.store.sealedRecords.list(from, null);
    const files: FileOfRow[] = [];
    for (const sealed of records) {
      const { table, row, column } = sealed.aad;
      const opened = open(deps.vault, sealed);
      if (typeof opened === 'string') {
        yield { table, row, what: column, message: opened };
        continue;
      }
      counts.records += 1;
      if (table !== 'submissions' || column !== 'files') continue;
      for (const file of JSON.parse(opened.toString()) as UploadedFile[]) files.push({ row, file });
    }
    yield* await findDamagedFiles(deps, files, counts);
    await yieldToEventLoop();
    from = next;
  } while (from);
}

/** Returns the unreadable files in the order of `files`. */
async function findDamagedFiles(deps: Deps, files: readonly FileOfRow[], counts: CheckCounts): Promise<Unreadable[]> {
  const reads = new Semaphore(FILES_AT_ONCE);
  const check = async ({ row, file }: FileOfRow): Promise<Unreadable | null> => {
    const fault = await fileFault(deps.blobs, file);
    if (fault === null) counts.files += 1;
    else if (await submissionExists(deps.store, row))
      return { table: 'submissions', row, what: file.id, message: fault };
    return null;
  };
  const checked = await Promise.all(files.map((file) => reads.run(() => check(file))));
  return checked.filter((result) => result !== null);
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
async function fileFault(blobs: Blobs, { blob, key, size, sha256 }: UploadedFile): Promise<string | null> {
  const sealed = await blobs.read(blob);
  if (!sealed) return 'missing';
  if (sealed.size !== sealedSize(size)) return 'wrong length';
  try {
    const opened = await digestChunks(openFile(Buffer.from(key, 'base64'), sealed.bytes));
    return opened.sha256 === sha256 ? null : 'wrong SHA-256';
  } catch (error) {
    // The bucket does not answer, so its files may be intact.
    if (error instanceof AppError) throw error;
    return error instanceof UnreadableRecordError ? error.message : 'read error';
  }
}
