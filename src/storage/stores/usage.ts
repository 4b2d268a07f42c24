import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { getPeriod, type MonthlyUsage } from '../../domain/usage.ts';
import type { Micros } from '../../lib/clock.ts';
import { LASTING } from '../counters.ts';
import { type Db, hint } from '../database.ts';
import { counters } from '../schema.ts';
import { readCounter } from './counters.ts';
import { teamCondition } from './reach.ts';

export function usageStore(db: Db) {
  return {
    /** Returns the number of submissions accepted from a team in the month that contains `at`. */
    count: (teamId: string, at: Micros): Promise<number> => readCounter(db, teamId, getPeriod(at).end),

    /** Returns the bytes that a team's submissions and files take. Files from before an upgrade do not count. */
    countStorage: (teamId: string): Promise<number> => readCounter(db, teamId, LASTING),

    /** Returns the bytes of a team's files that arrived since a time. */
    countFileGrowth: async (teamId: string, since: Micros): Promise<number> => {
      const [row] = await db.rows<{ bytes: number }>(sql`SELECT CAST(coalesce(sum(s.file_bytes), 0) AS bigint) AS bytes
        FROM workspaces w JOIN forms f ON f.workspace_id = w.id
        CROSS JOIN submissions s ${hint(db, 'file_bytes_of_form')}
        WHERE ${teamCondition(db, teamId)} AND s.form_key = f.key AND s.created_at >= ${since} AND s.file_bytes > 0`);
      return row?.bytes ?? 0;
    },

    /** Lists the last months with usage, newest first. */
    list: async (teamId: string, limit: number): Promise<MonthlyUsage[]> => {
      const { until, amount: used } = counters;
      const isMonth = and(eq(counters.owner, teamId), lt(until, LASTING));
      const months = await db.select({ until, used }).from(counters).where(isMonth).orderBy(desc(until)).limit(limit);
      return months.map((month) => ({ periodStart: getPeriod(month.until - 1).start, used: month.used }));
    },
  };
}
