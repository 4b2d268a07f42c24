import type { Services } from '../services.ts';
import { type DeletedCounts, deleteBatches } from '../submissions/delete-batches.ts';

/** Hashes of imported rows to delete in one transaction. */
const IMPORT_ROWS = 500;

type Deps = Pick<Services, 'store' | 'blobs' | 'log'>;

/**
 * Deletes a form in the trash with its submissions and files. It cannot be restored from then on. Returns false if the team
 * has no such form there, or `signal` aborted the deletion, which the retention job then completes.
 */
export async function deleteTrashedForm({ log, ...deps }: Deps, id: string, teamId: string, signal: AbortSignal) {
  if (!(await deps.store.trash.expireForm(id, teamId))) return false;
  const counts: DeletedCounts = { submissions: 0, files: 0, mails: 0 };
  const isEmpty = await completeDeletion(deps, id, counts, signal);
  log.info(isEmpty ? 'form in the trash deleted' : 'deletion of a form in the trash began', { form: id, ...counts });
  return isEmpty;
}

/**
 * Deletes the rest of a form whose deletion has begun, and adds to `counts`. Returns false if `signal` aborted it.
 */
export async function completeDeletion(
  { store, blobs }: Omit<Deps, 'log'>,
  id: string,
  counts: DeletedCounts,
  signal: AbortSignal,
): Promise<boolean> {
  const nextBatch = () => store.retention.deleteOlder(id, Number.MAX_SAFE_INTEGER);
  const isEmpty = await deleteBatches(blobs, nextBatch, counts, signal);
  if (!isEmpty) return false;
  while ((await store.imports.deleteRows(id, IMPORT_ROWS)) > 0) if (signal.aborted) return false;
  await store.trash.deleteForm(id);
  return true;
}
