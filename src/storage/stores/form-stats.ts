import { sql } from 'drizzle-orm';
import { DAY, type Micros } from '../../lib/clock.ts';
import { endOfDay } from '../counters.ts';
import type { Db } from '../database.ts';
import type { DayCount, FormActivity, FormStats } from '../records.ts';
import { FIRST, GENUINE, LAST, liveQuery, newestLive } from './live-submissions.ts';

const DAYS = 30;

const F_KEY = sql.raw('f.key');

type Summary = FormActivity & Readonly<{ id: string }>;
type DayRow = DayCount & Readonly<{ formId: string; until: Micros }>;

/** Creates the store methods for form stats. Each figure is read from an index in constant time. */
export function formStatsStore(db: Db) {
  const unread = liveQuery(db, ['unread'], 'DESC', { form: F_KEY, above: FIRST, below: LAST, limit: 100 });
  const activity = sql`f.id, (SELECT count(*) FROM (${unread}) AS newest) AS unread,
    ${newestLive(db, GENUINE, F_KEY)} AS "lastArrival"`;

  return {
    /** Returns the stats of all forms of a team by form id. `at` is the current time. */
    readStats: async (teamId: string, at: Micros): Promise<ReadonlyMap<string, FormStats>> => {
      const before = startOf(at, DAYS);
      const days = await db.rows<DayRow>(sql`
        SELECT c.owner AS "formId", c.until, c.amount AS genuine, c.spam
        FROM workspaces w JOIN forms f ON f.workspace_id = w.id JOIN counters c ON c.owner = f.id
        WHERE w.team_id = ${teamId} AND c.until > ${before} AND c.until <= ${endOfDay(at)}`);
      const summaries = await db.rows<Summary>(sql`
        SELECT ${activity} FROM forms f JOIN workspaces w ON w.id = f.workspace_id
        WHERE w.team_id = ${teamId} AND f.trashed_at IS NULL`);
      const daysOf = new Map<string, DayCount[]>();
      for (const { formId, until, genuine, spam } of days) {
        daysOf.getOrInsertComputed(formId, () => emptyDays(DAYS))[(until - before) / DAY - 1] = { genuine, spam };
      }
      const stats = ({ id, unread, lastArrival }: Summary): [string, FormStats] => [
        id,
        { unread, lastArrival, days: daysOf.get(id) ?? emptyDays(DAYS) },
      ];
      return new Map(summaries.map(stats));
    },

    readActivity: async (formId: string): Promise<FormActivity> => {
      const rows = await db.rows<Summary>(sql`SELECT ${activity} FROM forms f WHERE f.id = ${formId}`);
      const { unread, lastArrival } = rows[0] ?? { unread: 0, lastArrival: null };
      return { unread, lastArrival };
    },

    /** Returns the counts of a form for the last `count` UTC days, that of `at` last. */
    countDays: async (formId: string, at: Micros, count: number): Promise<DayCount[]> => {
      const before = startOf(at, count);
      const rows = await db.rows<DayRow>(sql`
        SELECT owner AS "formId", until, amount AS genuine, spam FROM counters
        WHERE owner = ${formId} AND until > ${before} AND until <= ${endOfDay(at)}`);
      const days = emptyDays(count);
      for (const { until, genuine, spam } of rows) days[(until - before) / DAY - 1] = { genuine, spam };
      return days;
    },
  };
}

/** Returns the start of the first of `count` UTC days, that of `at` last. */
function startOf(at: Micros, count: number): Micros {
  return endOfDay(at) - count * DAY;
}

function emptyDays(count: number): DayCount[] {
  return Array.from({ length: count }, () => ({ genuine: 0, spam: 0 }));
}
