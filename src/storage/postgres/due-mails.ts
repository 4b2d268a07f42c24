import { sql } from 'drizzle-orm';
import type { Micros } from '../../lib/clock.ts';
import type { Db } from './database.ts';

type Row = Readonly<{ id: string; team: string | null }>;
type Params = Readonly<{ now: Micros; maxLease: Micros; limit: number }>;

const IS_PENDING = sql.raw(`state IN ('queued', 'retrying') AND webhook_id IS NULL`);

/**
 * Returns the query for due mails in turn by team: the oldest of each team, then the second oldest, and so on. Teams follow
 * each other by id, beginning after the team `last`. A recursive query steps from form to form, so that the cost depends on
 * the number of forms with pending mails but not on the number of mails. The last queue is that of mails without a form; its order
 * names the form too, because a null is no constant to the planner.
 */
function dueMails({ now, maxLease, limit }: Params, last: string) {
  const isDue = sql`${IS_PENDING} AND due_at <= ${now}::bigint
    AND (leased_until IS NULL OR leased_until <= ${now}::bigint OR leased_until > ${maxLease}::bigint)`;
  const ofQueue = (queue: ReturnType<typeof sql>, columns: ReturnType<typeof sql>, max: ReturnType<typeof sql>) => sql`
    (SELECT ${columns} FROM outbox WHERE form_id = ${queue} AND ${isDue} ORDER BY due_at LIMIT ${max})
    UNION ALL
    (SELECT ${columns} FROM outbox WHERE ${queue} IS NULL AND form_id IS NULL AND ${isDue}
      ORDER BY form_id, due_at LIMIT ${max})`;
  return sql`
    WITH RECURSIVE
    queues(form) AS (
      SELECT min(form_id) FROM outbox WHERE ${IS_PENDING}
      UNION ALL
      SELECT (SELECT min(form_id) FROM outbox WHERE ${IS_PENDING} AND form_id > queues.form)
      FROM queues WHERE queues.form IS NOT NULL
    ),
    heads(form, team) AS (
      SELECT form, team FROM (
        SELECT q.form, coalesce(w.team_id, '') AS team, d.due_at FROM queues q
        CROSS JOIN LATERAL (${ofQueue(sql`q.form`, sql`due_at`, sql`1`)}) AS d
        LEFT JOIN forms f ON f.id = q.form
        LEFT JOIN workspaces w ON w.id = f.workspace_id
      ) AS due
      ORDER BY row_number() OVER (PARTITION BY team ORDER BY due_at), team <= ${last}, team LIMIT ${limit}
    )
    SELECT id, team FROM (
      SELECT m.id, coalesce(m.team_id, h.team) AS team, m.due_at FROM heads h
      CROSS JOIN LATERAL (${ofQueue(sql`h.form`, sql`id, team_id, due_at`, sql`${limit}`)}) AS m
    ) AS found
    ORDER BY row_number() OVER (PARTITION BY team ORDER BY due_at, id), team <= ${last}, team LIMIT ${limit}`;
}

/** Returns a function that finds up to `limit` due mails that are not leased, taking turns between teams. */
export function dueMailsFinder(): (tx: Db, params: Params) => Promise<string[]> {
  let last = '';
  return async (tx, params) => {
    const { rows } = await tx.execute<Row>(dueMails(params, last));
    last = rows.at(-1)?.team ?? last;
    return rows.map(({ id }) => id);
  };
}
