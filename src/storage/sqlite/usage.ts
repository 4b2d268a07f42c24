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

/** Returns a function that reads the bytes that a team's submissions take. */
export function storageReader(db: Drizzle): (teamId: string) => number {
  const query = db.$client.query<{ bytes: number }, [teamId: string]>(
    'SELECT bytes FROM team_storage WHERE team_id = ?',
  );
  return (teamId) => query.get(teamId)?.bytes ?? 0;
}
