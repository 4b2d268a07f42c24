import { completeDeletion } from '../forms/form-trash.ts';
import type { Services } from '../services.ts';
import type { DeletedCounts } from '../submissions/delete-batches.ts';

type Deps = Pick<Services, 'store' | 'blobs'>;

/** Rows of mails and audit entries that one transaction deletes. */
const BATCH_SIZE = 500;

/**
 * Deletes a team with everything in it, and adds to `counts`. Accounts of its members stay. The first step ends all access
 * to the team; after an interruption, call it again to delete the rest. Returns false if there is no such team.
 */
export async function deleteTeam({ store, blobs }: Deps, id: string, counts: DeletedCounts): Promise<boolean> {
  if (!(await store.teams.close(id))) return false;
  const { signal } = new AbortController();
  for (const form of await store.forms.list(id, 'all'))
    await completeDeletion({ store, blobs }, form.id, counts, signal);
  while (!(await store.teams.delete(id, BATCH_SIZE)));
  return true;
}
