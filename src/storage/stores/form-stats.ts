import { sql } from 'drizzle-orm';
import { DAY, type Micros } from '../../lib/clock.ts';
import type { Db } from '../database.ts';
import type { DayCount, FormActivity, FormStats } from '../records.ts';
import { FIRST, GENUINE, LAST, liveQuery, newestLive } from './live-submissions.ts';

const DAYS = 30;

const F_ID = sql.raw('f.id');

type Summary = FormActivity & Readonly<{ id: string }>;
type DayRow = DayCount & Readonly<{ formId: string; day: number }>;

/** Creates the store methods for form stats. Each figure is read from an index in constant time. */
export function formStatsStore(db: Db) {
  const unread = liveQuery(db, ['unread'], 'DESC', { formId: F_ID, above: FIRST, below: LAST, limit: 100 });
  const activity = sql`f.id, (SELECT count(*) FROM (${unread}) AS newest) AS unread,
    ${newestLive(db, GENUINE, F_ID)} AS "lastArrival"`;

  return {
    /** Returns the stats of all forms of a team by form id. `at` is the current time. */
    readStats: async (teamId: string, at: Micros): Promise<ReadonlyMap<string, FormStats>> => {
      const last = Math.floor(at / DAY);
      const first = last - DAYS + 1;
      const days = await db.rows<DayRow>(sql`
        SELECT d.form_id AS "formId", d.day, d.genuine, d.spam
        FROM workspaces w JOIN forms f ON f.workspace_id = w.id JOIN form_days d ON d.form_id = f.id
        WHERE w.team_id = ${teamId} AND d.day BETWEEN ${first} AND ${last}`);
      const summaries = await db.rows<Summary>(sql`
        SELECT ${activity} FROM forms f JOIN workspaces w ON w.id = f.workspace_id
        WHERE w.team_id = ${teamId} AND f.trashed_at IS NULL`);
      const daysOf = new Map<string, DayCount[]>();
      for (const { formId, day, genuine, spam } of days) {
        daysOf.getOrInsertComputed(formId, () => emptyDays(DAYS))[day - first] = { genuine, spam };
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
      const last = Math.floor(at / DAY);
      const first = last - count + 1;
      const rows = await db.rows<DayRow>(sql`
        SELECT form_id AS "formId", day, genuine, spam FROM form_days
        WHERE form_id = ${formId} AND day BETWEEN ${first} AND ${last}`);
      const days = emptyDays(count);
      for (const { day, genuine, spam } of rows) days[day - first] = { genuine, spam };
      return days;
    },
  };
}

function emptyDays(count: number): DayCount[] {
  return Array.from({ length: count }, () => ({ genuine: 0, spam: 0 }));
}
