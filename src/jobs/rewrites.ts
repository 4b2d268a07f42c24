import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import { dueTime } from '../services/rewrites.ts';
import type { Store } from '../storage/store.ts';
import type { Job } from './loop.ts';

type Deps = Readonly<{ store: Store; clock: Clock; log: Logger; minFreeBytes: number }>;

/** Creates the job that rewrites the database for all erasures since the last time, at most once an hour. */
export function rewriteJob({ store, clock, log, minFreeBytes }: Deps): Job {
  const step = async (signal: AbortSignal) => {
    const progress = await store.readRewrites();
    const { requested, cleared } = progress;
    const now = clock();
    if (requested === cleared || dueTime(progress, requested, now) > now) return;
    const startedAt = performance.now();
    const reason = await store.rewriteDatabase(minFreeBytes, signal).catch((error: unknown) => {
      if (signal.aborted) return 'the server stops';
      throw error;
    });
    const seconds = Math.round(performance.now() - startedAt) / 1000;
    if (reason === null) log.info('database rewritten: deleted data left no copies', { seconds });
    else log.warn('deleted data may have left copies in the database; will retry', { reason });
  };
  return { name: 'database rewrite', everyMs: 1_000, step };
}
