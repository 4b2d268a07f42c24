import { and, eq, sql } from 'drizzle-orm';
import type { Micros } from '../../lib/clock.ts';
import { type Addition, CLOCK, inLockOrder, LASTING } from '../counters.ts';
import { type Db, firstRow } from '../database.ts';
import { counters, leases } from '../schema.ts';

/** Returns the creation time of the last submission; 0 before the first. */
export async function readClock(tx: Db): Promise<Micros> {
  const isClock = and(eq(counters.owner, CLOCK), eq(counters.until, LASTING));
  const row = await firstRow(tx.select({ amount: counters.amount }).from(counters).where(isClock));
  return row?.amount ?? 0;
}

/**
 * Locks the clock and returns the creation time of the last submission; 0 before the first. Until the transaction ends no
 * submission is accepted, so it must be short and take this lock first.
 */
export async function lockClock(tx: Db): Promise<Micros> {
  await tx.locked(tx.select().from(leases).where(eq(leases.name, CLOCK)), 'update');
  return readClock(tx);
}

/** Adds to counters. */
export async function addToCounters(tx: Db, additions: readonly Addition[]): Promise<void> {
  await tx
    .insert(counters)
    .values(inLockOrder(additions))
    .onConflictDoUpdate({
      target: [counters.until, counters.owner],
      set: { amount: sql`counters.amount + excluded.amount`, spam: sql`counters.spam + excluded.spam` },
    });
}
