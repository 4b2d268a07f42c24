import { and, desc, eq, sql } from 'drizzle-orm';
import type { MonthlyUsage } from '../../domain/usage.ts';
import type { Micros } from '../../lib/clock.ts';
import { type Db, hint } from '../database.ts';
import { teamStorage, usage } from '../schema.ts';

/** Creates the store methods for what teams use of their plan. */
export function usageStore(db: Db) {
  return {
    /** Returns the number of submissions accepted from a team in the period that starts at `periodStart`. */
    count: async (teamId: string, periodStart: Micros): Promise<number> => {
      const ofPeriod = and(eq(usage.teamId, teamId), eq(usage.periodStart, periodStart));
      const [row] = await db.select({ used: usage.used }).from(usage).where(ofPeriod);
      return row?.used ?? 0;
    },

    /** Returns the bytes that a team's submissions and files take. Files from before an upgrade do not count. */
    countStorage: async (teamId: string): Promise<number> => {
      const [row] = await db.select().from(teamStorage).where(eq(teamStorage.teamId, teamId));
      return row?.bytes ?? 0;
    },

    /** Returns the bytes of a team's files that arrived since a time. */
    countFileGrowth: async (teamId: string, since: Micros): Promise<number> => {
      const [row] = await db.rows<{ bytes: number }>(sql`SELECT CAST(coalesce(sum(s.file_bytes), 0) AS bigint) AS bytes
        FROM workspaces w JOIN forms f ON f.workspace_id = w.id
        CROSS JOIN submissions s ${hint(db, 'file_bytes_of_form')}
        WHERE w.team_id = ${teamId} AND s.form_id = f.id AND s.created_at >= ${since} AND s.file_bytes > 0`);
      return row?.bytes ?? 0;
    },

    /** Lists the last months with usage, newest first. */
    list: async (teamId: string, limit: number): Promise<MonthlyUsage[]> =>
      db
        .select({ periodStart: usage.periodStart, used: usage.used })
        .from(usage)
        .where(eq(usage.teamId, teamId))
        .orderBy(desc(usage.periodStart))
        .limit(limit),
  };
}
