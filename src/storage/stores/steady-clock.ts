import type { Clock, Micros } from '../../lib/clock.ts';
import type { Db } from '../database.ts';
import { steadyClock } from '../schema.ts';
import { readClock } from './counters.ts';

/** Creates the store method that notices jumps of the clock. */
export function steadyClockStore(db: Db, clock: Clock) {
  return {
    /**
     * Records the current time and returns the time since which the clock has run without a jump of more than `maxGap`,
     * forward or back, between two records; 0 if it always has. The first record is compared with the last submission.
     */
    record: (maxGap: Micros): Promise<Micros> =>
      db.transaction(async (tx) => {
        const now = clock();
        const [stored] = await tx.select().from(steadyClock);
        const last = stored ?? { seenAt: (await readClock(tx)) || now, steadySince: 0 };
        const isSteady = Math.abs(now - last.seenAt) <= maxGap;
        const record = { seenAt: now, steadySince: isSteady ? last.steadySince : now };
        await tx
          .insert(steadyClock)
          .values({ id: 1, ...record })
          .onConflictDoUpdate({ target: steadyClock.id, set: record });
        return record.steadySince;
      }),
  };
}
