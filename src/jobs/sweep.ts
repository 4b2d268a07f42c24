import { type Clock, HOUR } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import type { BlobInfo, Blobs } from '../storage/blobs.ts';
import type { Store } from '../storage/store.ts';
import type { Job } from './loop.ts';

/** The minimum age of an orphan. A younger one may belong to a submission that another process is about to commit. */
const GRACE_PERIOD = HOUR;
const BATCH_SIZE = 500;

type Deps = Readonly<{ store: Store; blobs: Blobs; clock: Clock; log: Logger }>;

/**
 * Creates the hourly job that deletes files of refused or aborted posts. Each process runs it for the files of its own
 * data directory: a restored copy of the database does not refer to newer files of the original.
 */
export function sweepJob(deps: Deps): Job {
  return { name: 'sweep', everyMs: 60 * 60 * 1000, step: (signal) => sweep(deps, signal) };
}

async function sweep({ store, blobs, clock, log }: Deps, signal: AbortSignal): Promise<void> {
  let files = 0;
  let bytes = 0;
  const removeOrphans = async (batch: readonly BlobInfo[]) => {
    const orphans = new Set(await store.findOrphans(batch.map(({ name }) => name)));
    await blobs.remove([...orphans]);
    files += orphans.size;
    bytes += batch.reduce((sum, { name, size }) => sum + (orphans.has(name) ? size : 0), 0);
  };

  let batch: BlobInfo[] = [];
  for await (const blob of blobs.list()) {
    if (signal.aborted) break;
    if (blob.modifiedAt > clock() - GRACE_PERIOD) continue;
    batch.push(blob);
    if (batch.length < BATCH_SIZE) continue;
    await removeOrphans(batch);
    batch = [];
  }
  await removeOrphans(batch);
  if (files > 0) log.info('orphaned files removed', { files, bytes });
}
