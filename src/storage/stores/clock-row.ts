import type { Micros } from '../../lib/clock.ts';
import { type Db, firstRow } from '../database.ts';
import { submissionClock } from '../schema.ts';

/**
 * Locks the clock row and returns the creation time of the last submission; 0 before the first. Until the transaction ends
 * no submission is accepted, so it must be short and lock this row first.
 */
export async function lockClock(tx: Db): Promise<Micros> {
  const row = await firstRow(tx.locked(tx.select().from(submissionClock), 'update'));
  return row?.lastCreatedAt ?? 0;
}
