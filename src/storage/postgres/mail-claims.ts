import { type SQL, sql } from 'drizzle-orm';
import type { FindDueMails } from '../stores/mail-claims.ts';
import { PENDING_SQL } from '../stores/outbox.ts';

const IS_PENDING_MAIL = sql.raw(`${PENDING_SQL} AND webhook_id IS NULL`);

/**
 * A recursive query steps from form to form, so that the cost depends on the number of forms with pending mails but not on the
 * number of mails. The last queue is that of mails without a form; its order names the form too, because a null is no
 * constant to the planner.
 */
export const findDueMails: FindDueMails = (tx, { now, maxLease, last, limit }) => {
  const isDue = sql`${IS_PENDING_MAIL} AND due_at <= ${now}::bigint
    AND (leased_until IS NULL OR leased_until <= ${now}::bigint OR leased_until > ${maxLease}::bigint)`;
  const ofQueue = (queue: SQL, columns: SQL, max: SQL) => sql`
    (SELECT ${columns} FROM outbox WHERE form_id = ${queue} AND ${isDue} ORDER BY due_at LIMIT ${max})
    UNION ALL
    (SELECT ${columns} FROM outbox WHERE ${queue} IS NULL AND form_id IS NULL AND ${isDue}
      ORDER BY form_id, due_at LIMIT ${max})`;
  return tx.rows(sql`
    WITH RECURSIVE
    queues(form) AS (
      SELECT min(form_id) FROM outbox WHERE ${IS_PENDING_MAIL}
      UNION ALL
      SELECT (SELECT min(form_id) FROM outbox WHERE ${IS_PENDING_MAIL} AND form_id > queues.form)
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
    ORDER BY row_number() OVER (PARTITION BY team ORDER BY due_at, id), team <= ${last}, team LIMIT ${limit}`);
};
