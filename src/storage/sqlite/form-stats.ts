import { DAY, type Micros } from '../../lib/clock.ts';
import type { FormStats } from '../store.ts';
import type { Drizzle } from './database.ts';
import type { StoreUnits } from './units.ts';

const DAYS = 30;

type Summary = Readonly<{ id: string; unread: number; lastArrival: Micros | null }>;
type DayCount = Readonly<{ formId: string; day: number; genuine: number }>;

/** Creates the store method for form stats. Each figure is read from an index in constant time. */
export function formStatsStore({ $client }: Drizzle) {
  const summaries = $client.query<Summary, [teamId: string]>(`
    SELECT f.id,
      (SELECT count(*) FROM
        (SELECT 1 FROM submissions WHERE form_id = f.id AND is_spam = 0 AND read_at IS NULL AND trashed_at IS NULL LIMIT 100)) AS unread,
      (SELECT created_at FROM submissions WHERE form_id = f.id AND trashed_at IS NULL ORDER BY created_at DESC LIMIT 1) AS lastArrival
    FROM forms f JOIN workspaces w ON w.id = f.workspace_id
    WHERE w.team_id = ? AND f.trashed_at IS NULL`);
  const days = $client.query<DayCount, [teamId: string, first: number, last: number]>(`
    SELECT d.form_id AS formId, d.day, d.genuine
    FROM workspaces w JOIN forms f ON f.workspace_id = w.id JOIN form_days d ON d.form_id = f.id
    WHERE w.team_id = ? AND d.day BETWEEN ? AND ?`);

  return {
    formStats: (teamId, at) => {
      const last = Math.floor(at / DAY);
      const first = last - DAYS + 1;
      const genuineOf = new Map<string, number[]>();
      for (const { formId, day, genuine } of days.all(teamId, first, last)) {
        genuineOf.getOrInsertComputed(formId, () => Array<number>(DAYS).fill(0))[day - first] = genuine;
      }
      const stats = ({ id, unread, lastArrival }: Summary): [string, FormStats] => [
        id,
        { unread, lastArrival, days: genuineOf.get(id) ?? Array<number>(DAYS).fill(0) },
      ];
      return new Map(summaries.all(teamId).map(stats));
    },
  } satisfies Partial<StoreUnits>;
}
