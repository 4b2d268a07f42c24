import { sql } from 'drizzle-orm';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../store.ts';
import type { Db } from './database.ts';
import { steadyClock } from './schema.ts';
import { transaction } from './units.ts';

/** Creates the store method that notices jumps of the clock. */
export function steadyClockStore(db: Db, clock: Clock) {
  return {
    recordClock: (maxGap) =>
      transaction(db, async (tx) => {
        const now = clock();
        const { rows } = await tx.execute<{ last: number }>(sql`SELECT last_created_at AS last FROM submission_clock`);
        const [stored] = await tx.select().from(steadyClock);
        const last = stored ?? { seenAt: rows[0]?.last || now, steadySince: 0 };
        const isSteady = Math.abs(now - last.seenAt) <= maxGap;
        const record = { seenAt: now, steadySince: isSteady ? last.steadySince : now };
        await tx
          .insert(steadyClock)
          .values({ id: 1, ...record })
          .onConflictDoUpdate({ target: steadyClock.id, set: record });
        return record.steadySince;
      }),
  } satisfies Partial<Store>;
}
