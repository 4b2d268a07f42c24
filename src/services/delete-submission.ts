import type { Blobs } from '../storage/blobs.ts';
import type { Store } from '../storage/store.ts';

type Deps = Readonly<{ store: Store; blobs: Blobs }>;

/**
 * Deletes a submission with its files for good; false if the team has no such submission. The keys of the files go with
 * the row: a file whose removal fails cannot be read any more, and the sweep takes it.
 */
export async function deleteSubmission({ store, blobs }: Deps, id: string, teamId: string): Promise<boolean> {
  const names = await store.deleteSubmission(id, teamId);
  if (names === null) return false;
  await blobs.remove(names).catch(() => {});
  return true;
}
