import { MINUTE } from '../lib/clock.ts';
import { dueTime } from '../services/instance/purges.ts';
import type { Services } from '../services/services.ts';
import type { Job } from './loop.ts';

type Deps = Pick<Services, 'store' | 'clock' | 'log'>;

/** Pause after a failed purge. */
const RETRY_INTERVAL = MINUTE;

/** Creates the job that purges the database after erasures, at most once an hour. */
export function purgeJob({ store, clock, log }: Deps): Job {
  let failedAt: number | null = null;
  const step = async (signal: AbortSignal) => {
    const progress = await store.upkeep.readPurges();
    const now = clock();
    if (progress.requested === progress.purged || dueTime(progress, now) > now) return;
    if (failedAt !== null && Math.abs(now - failedAt) < RETRY_INTERVAL) return;
    const startedAt = performance.now();
    const residue = await store.upkeep.purge(signal);
    const seconds = Math.round(performance.now() - startedAt) / 1000;
    failedAt = residue ? now : null;
    const { lasting } = progress;
    if (!residue && lasting) log.info('deleted rows removed from the tables', { seconds, lasting });
    else if (!residue) log.info('database purged: deleted data left no copies', { seconds });
    else log.warn('deleted data may have left copies in the database; will retry', residue);
  };
  return { name: 'database purge', everyMs: 1_000, step };
}
