import { AUDIT_RETENTION_DAYS } from '../domain/audit.ts';
import { type Clock, DAY, HOUR } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import type { BlobFacts, Blobs } from '../storage/blobs.ts';
import type { Store } from '../storage/store.ts';
import type { Job } from './loop.ts';

/** An orphan is left alone for so long: what looks like one may be a post that another process is about to commit. */
const GRACE = HOUR;
const BATCH = 500;

type Deps = Readonly<{ store: Store; blobs: Blobs; clock: Clock; log: Logger }>;

/**
 * Removes what nothing refers to any more: files of posts that were refused or cut off, keys and challenges that no longer
 * count, mails that were sent or given up long ago, sign-ins and one-time links that have expired,
 * entries of the audit that are a year old.
 */
export function sweepJob(deps: Deps): Job {
  return { name: 'sweep', everyMs: 60 * 60 * 1000, step: (signal) => sweep(deps, signal) };
}

async function sweep({ store, blobs, clock, log }: Deps, signal: AbortSignal): Promise<void> {
  await store.pruneExpired();
  await store.pruneMails();
  await store.prunePeople();
  while ((await store.pruneAudit(clock() - AUDIT_RETENTION_DAYS * DAY, BATCH)) === BATCH && !signal.aborted)
    await Bun.sleep(0);
  let files = 0;
  let bytes = 0;
  const removeOrphans = async (batch: readonly BlobFacts[]) => {
    const orphans = new Set(await store.findOrphans(batch.map(({ name }) => name)));
    await blobs.remove([...orphans]);
    files += orphans.size;
    bytes += batch.reduce((sum, { name, size }) => sum + (orphans.has(name) ? size : 0), 0);
  };

  let batch: BlobFacts[] = [];
  for await (const facts of blobs.list()) {
    if (signal.aborted) break;
    if (facts.modifiedAt > clock() - GRACE) continue;
    batch.push(facts);
    if (batch.length < BATCH) continue;
    await removeOrphans(batch);
    batch = [];
  }
  await removeOrphans(batch);
  if (files > 0) log.info('orphaned files removed', { files, bytes });
}
