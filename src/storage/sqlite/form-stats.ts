import { DAY } from '../../lib/clock.ts';
import type { DayCount, FormActivity, FormStats } from '../store.ts';
import type { Drizzle } from './database.ts';
import { GENUINE, liveRows, newestLive } from './live-submissions.ts';
import type { StoreUnits } from './units.ts';

const DAYS = 30;

type Summary = FormActivity & Readonly<{ id: string }>;
type DayRow = DayCount & Readonly<{ formId: string; day: number }>;

/** Creates the store methods for form stats. Each figure is read from an index in constant time. */
export function formStatsStore({ $client }: Drizzle) {
  const activity = `f.id,
      (SELECT count(*) FROM
        (${liveRows('unread', '1', 'f.id', 'LIMIT 100')})) AS unread,
      ${newestLive(GENUINE, 'f.id')} AS lastArrival`;
  const summaries = $client.query<Summary, [teamId: string]>(
    `SELECT ${activity} FROM forms f JOIN workspaces w ON w.id = f.workspace_id
     WHERE w.team_id = ? AND f.trashed_at IS NULL`,
  );
  const summaryOfForm = $client.query<Summary, [formId: string]>(`SELECT ${activity} FROM forms f WHERE f.id = ?`);
  const daysOfTeam = $client.query<DayRow, [teamId: string, first: number, last: number]>(`
    SELECT d.form_id AS formId, d.day, d.genuine, d.spam
    FROM workspaces w JOIN forms f ON f.workspace_id = w.id JOIN form_days d ON d.form_id = f.id
    WHERE w.team_id = ? AND d.day BETWEEN ? AND ?`);
  const daysOfForm = $client.query<DayRow, [formId: string, first: number, last: number]>(
    'SELECT form_id AS formId, day, genuine, spam FROM form_days WHERE form_id = ? AND day BETWEEN ? AND ?',
  );

  return {
    formStats: (teamId, at) => {
      const last = Math.floor(at / DAY);
      const first = last - DAYS + 1;
      const daysOf = new Map<string, DayCount[]>();
      for (const { formId, day, genuine, spam } of daysOfTeam.all(teamId, first, last)) {
        daysOf.getOrInsertComputed(formId, () => emptyDays(DAYS))[day - first] = { genuine, spam };
      }
      const stats = ({ id, unread, lastArrival }: Summary): [string, FormStats] => [
        id,
        { unread, lastArrival, days: daysOf.get(id) ?? emptyDays(DAYS) },
      ];
      return new Map(summaries.all(teamId).map(stats));
    },

    formActivity: (formId) => {
      const { unread, lastArrival } = summaryOfForm.get(formId) ?? { unread: 0, lastArrival: null };
      return { unread, lastArrival };
    },

    countDays: (formId, at, count) => {
      const last = Math.floor(at / DAY);
      const first = last - count + 1;
      const days = emptyDays(count);
      for (const { day, genuine, spam } of daysOfForm.all(formId, first, last)) days[day - first] = { genuine, spam };
      return days;
    },
  } satisfies Partial<StoreUnits>;
}

function emptyDays(count: number): DayCount[] {
  return Array.from({ length: count }, () => ({ genuine: 0, spam: 0 }));
}
