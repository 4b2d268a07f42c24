import { and, eq, sql } from 'drizzle-orm';
import type { Micros } from '../../lib/clock.ts';
import { type Addition, CLOCK, inLockOrder, LASTING } from '../counters.ts';
import { type Db, firstRow } from '../database.ts';
import { counters, leases } from '../schema.ts';

const IS_COUNTER = and(eq(counters.owner, sql.placeholder('owner')), eq(counters.until, sql.placeholder('until')));

/** Returns the amount of a counter; 0 without a row. */
export async function readCounter(tx: Db, owner: string, until: Micros): Promise<number> {
  const query = () => tx.select({ amount: counters.amount }).from(counters).where(IS_COUNTER);
  const row = await firstRow(tx.prepared('counter', query)({ owner, until }));
  return row?.amount ?? 0;
}

/** Returns the creation time of the last submission; 0 before the first. */
export const readClock = (tx: Db): Promise<Micros> => readCounter(tx, CLOCK, LASTING);

/**
 * Locks the clock and returns the creation time of the last submission; 0 before the first. Until the transaction ends no
 * submission is accepted, so it must be short and take this lock first.
 */
export async function lockClock(tx: Db): Promise<Micros> {
  await tx.locked(tx.select().from(leases).where(eq(leases.name, CLOCK)), 'update');
  return readClock(tx);
}

export async function addToCounters(tx: Db, additions: readonly Addition[]): Promise<void> {
  await tx
    .insert(counters)
    .values(inLockOrder(additions))
    .onConflictDoUpdate({
      target: [counters.until, counters.owner],
      set: { amount: sql`counters.amount + excluded.amount`, spam: sql`counters.spam + excluded.spam` },
    });
}
