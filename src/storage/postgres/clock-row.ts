import { sql } from 'drizzle-orm';
import type { Micros } from '../../lib/clock.ts';
import type { Db } from './database.ts';

/**
 * Locks the clock row and returns the creation time of the last submission; 0 before the first. Until the transaction ends
 * no submission is accepted, so it must be short and lock this row first.
 */
export async function lockClock(tx: Db): Promise<Micros> {
  const { rows } = await tx.execute<{ last: Micros }>(
    sql`SELECT last_created_at AS last FROM submission_clock WHERE id = 1 FOR UPDATE`,
  );
  return rows[0]?.last ?? 0;
}
