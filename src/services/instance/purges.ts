import { HOUR, type Micros } from '../../lib/clock.ts';
import type { PurgeProgress } from '../../storage/records.ts';
import type { Services } from '../services.ts';

/** Interval of purges, each of which covers all erasures until then. */
const PURGE_INTERVAL = HOUR;
const MAX_WAIT_MS = 60_000;
const POLL_MS = 100;

/** Returns the time from which a server covers the pending requests. */
export function dueTime({ purgedAt }: PurgeProgress, now: Micros): Micros {
  return purgedAt > now ? now : Math.max(now, purgedAt + PURGE_INTERVAL);
}

/** Waits while a request is due and a server is about to cover it, at most a minute. */
export async function awaitPurge({ store, clock }: Pick<Services, 'store' | 'clock'>, request: number): Promise<void> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < MAX_WAIT_MS) {
    const progress = await store.upkeep.readPurges();
    const now = clock();
    if (progress.purged >= request || dueTime(progress, now) > now) return;
    await Bun.sleep(POLL_MS);
  }
}
