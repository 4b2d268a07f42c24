import type { Blobs } from '../../storage/blobs.ts';
import type { DeletionResult } from '../../storage/records.ts';

/** The pause after each batch, as a multiple of its duration, in which submissions have the database to themselves. */
const PAUSE_FACTOR = 4;
const MIN_PAUSE_MS = 5;

/** Counts of deleted submissions, files and mails. */
export type DeletedCounts = { submissions: number; files: number; mails: number };

/**
 * Deletes batch after batch with their files until none is left, and adds to `counts`. Returns false if `signal` aborted it
 * earlier.
 */
export async function deleteBatches(
  blobs: Blobs,
  nextBatch: () => Promise<DeletionResult>,
  counts: DeletedCounts,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    const startedAt = performance.now();
    const deleted = await nextBatch();
    if (deleted.submissions === 0) return true;
    const elapsed = performance.now() - startedAt;
    counts.submissions += deleted.submissions;
    counts.files += deleted.blobs.length;
    counts.mails += deleted.mails;
    // A blob that cannot be removed is an orphan, and the sweep job removes it later.
    await blobs.remove(deleted.blobs).catch(() => {});
    await Bun.sleep(Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * elapsed));
  }
  return false;
}
