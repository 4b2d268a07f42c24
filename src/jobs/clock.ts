import { formatTime, MINUTE } from '../lib/clock.ts';
import type { Services } from '../services/services.ts';
import type { Store } from '../storage/store.ts';
import type { Job } from './loop.ts';

const INTERVAL_MS = 60_000;

type Deps = Pick<Services, 'clock' | 'log'> & Readonly<{ store: Pick<Store, 'upkeep'> }>;

/** Creates the job that logs once when the newest submission is dated later than now, and when it no longer is. */
export function clockJob({ store, clock, log }: Deps): Job {
  let wasAhead = false;
  const step = async () => {
    const now = clock();
    const { lastCreatedAt } = await store.upkeep.readStats(0);
    const isAhead = lastCreatedAt !== null && lastCreatedAt > now + MINUTE;
    if (isAhead && !wasAhead) {
      log.warn(
        'the newest submission is dated later than now: the clock was ahead or is behind. Correct the clock, stop the server and run "formstead clock repair"',
        { newest: formatTime(lastCreatedAt), now: formatTime(now) },
      );
    }
    if (wasAhead && !isAhead) log.info('no submission is dated later than now any more');
    wasAhead = isAhead;
  };
  return { name: 'clock check', everyMs: INTERVAL_MS, step };
}
