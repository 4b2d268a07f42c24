import type { Logger } from '../lib/log.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { Store } from '../storage/store.ts';
import { type DeletedCounts, deleteBatches } from './delete-batches.ts';

type Deps = Readonly<{ store: Store; blobs: Blobs; log: Logger }>;

/**
 * Deletes a form in the trash with its submissions and files. It cannot be restored from then on. Returns false if the team
 * has no such form there, or `signal` aborted the deletion, which the retention job then completes.
 */
export async function deleteTrashedForm(
  { store, blobs, log }: Deps,
  id: string,
  teamId: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await store.expireForm(id, teamId))) return false;
  const counts: DeletedCounts = { submissions: 0, files: 0, mails: 0 };
  const nextBatch = () => store.deleteOlder(id, Number.MAX_SAFE_INTEGER);
  const isEmpty = await deleteBatches(blobs, nextBatch, counts, signal);
  if (isEmpty) await store.deleteForm(id);
  log.info(isEmpty ? 'form in the trash deleted' : 'deletion of a form in the trash began', { form: id, ...counts });
  return isEmpty;
}
