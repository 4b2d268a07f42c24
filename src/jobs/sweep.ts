import { DAY, HOUR, parseTime, SECOND } from '../lib/clock.ts';
import type { Services } from '../services/services.ts';
import type { BlobInfo } from '../storage/blobs.ts';
import type { DiskWatch } from '../storage/disk-watch.ts';
import { Quarantine } from '../storage/quarantine.ts';
import type { Job } from './loop.ts';

/** The minimum age of an orphan. A younger one may belong to a submission that another process is about to commit. */
const GRACE_PERIOD = HOUR;
/** The precision of times in a bucket, and some. */
const ROUNDING = 10 * SECOND;
/** Time for which swept files can be restored. */
const QUARANTINE_PERIOD = DAY;
const BATCH_SIZE = 500;
/** More orphans than refused posts usually leave: the database may not be that of the files. */
const USUAL_ORPHANS = 10;

type Deps = Pick<Services, 'store' | 'blobs' | 'clock' | 'log'> &
  Readonly<{ disk: Pick<DiskWatch, 'reserve'>; config: Readonly<{ dataDir: string }> }>;

/**
 * Creates the hourly job that moves files of refused or aborted posts to the quarantine. Each process runs it for the files
 * of its own data directory: a restored copy of the database does not refer to newer files of the original.
 */
export function sweepJob(deps: Deps): Job {
  return { name: 'cleanup of unused files', everyMs: 60 * 60 * 1000, step: (signal) => sweep(deps, signal) };
}

async function sweep({ store, blobs, clock, log, disk, config }: Deps, signal: AbortSignal): Promise<void> {
  const quarantine = new Quarantine(config.dataDir);
  await quarantine.prune(clock() - QUARANTINE_PERIOD);
  const { origin, hasFiles } = await store.files.describe();
  // A database that refers to no file at all may belong to other files.
  if (!hasFiles) return;
  // Not older than the database, which cannot know earlier files, and past the grace period.
  const [from, until] = [(parseTime(origin) ?? clock()) - ROUNDING, clock() - GRACE_PERIOD];
  let files = 0;
  let bytes = 0;
  const removeOrphans = async (batch: readonly BlobInfo[]) => {
    const orphans = new Set(await store.files.findOrphans(batch.map(({ name }) => name)));
    for (const { name, size } of batch) {
      if (!orphans.has(name)) continue;
      await quarantine.take(blobs, name, clock(), disk);
      files += 1;
      bytes += size;
    }
  };

  let batch: BlobInfo[] = [];
  for await (const blob of blobs.list()) {
    if (signal.aborted) break;
    if (blob.modifiedAt < from || blob.modifiedAt > until) continue;
    batch.push(blob);
    if (batch.length < BATCH_SIZE) continue;
    await removeOrphans(batch);
    batch = [];
  }
  await removeOrphans(batch);
  if (files === 0) return;
  const level = files > USUAL_ORPHANS ? 'warn' : 'info';
  const message = 'orphaned files moved to the quarantine; "formstead files restore" brings them back within a day';
  log[level](message, { files, bytes });
}
