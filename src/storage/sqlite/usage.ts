import { and, eq, sql } from 'drizzle-orm';
import type { Micros } from '../../lib/clock.ts';
import type { Drizzle } from './database.ts';
import { usage } from './schema.ts';

/** Returns a function that reads the number of submissions accepted from a team in a period. */
export function usageReader(db: Drizzle): (teamId: string, periodStart: Micros) => number {
  const query = db
    .select({ used: usage.used })
    .from(usage)
    .where(and(eq(usage.teamId, sql.placeholder('teamId')), eq(usage.periodStart, sql.placeholder('periodStart'))))
    .prepare();
  return (teamId, periodStart) => query.get({ teamId, periodStart })?.used ?? 0;
}
