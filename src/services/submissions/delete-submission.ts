import type { Services } from '../services.ts';

type Deps = Pick<Services, 'store' | 'blobs'>;

/**
 * Permanently deletes a submission with its files. Returns false if the team has no such submission. File keys are
 * deleted with the row, so a file whose deletion fails is unreadable; the sweep deletes it later.
 */
export async function deleteSubmission({ store, blobs }: Deps, id: string, teamId: string): Promise<boolean> {
  const names = await store.retention.deleteSubmission(id, teamId);
  if (names === null) return false;
  await blobs.remove(names).catch(() => {});
  return true;
}
