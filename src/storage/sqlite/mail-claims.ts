import { sql } from 'drizzle-orm';
import type { FindDueMails } from '../stores/mail-claims.ts';
import { PENDING_SQL } from '../stores/outbox.ts';

const IS_PENDING_MAIL = sql.raw(`${PENDING_SQL} AND webhook_id IS NULL`);

/**
 * A recursive query steps from form to form, so that the cost depends on the number of forms with pending mails but not on the
 * number of mails.
 */
export const findDueMails: FindDueMails = (tx, limits) =>
  tx.hotRows('due mails', limits, ({ now, maxLease, last, limit }) => {
    const isDue = sql`${IS_PENDING_MAIL} AND due_at <= ${now}
      AND (leased_until IS NULL OR leased_until <= ${now} OR leased_until > ${maxLease})`;
    return sql`
      WITH RECURSIVE
      queues(form) AS (
        SELECT min(form_id) FROM outbox INDEXED BY mails_due_of_form WHERE ${IS_PENDING_MAIL}
        UNION ALL
        SELECT (SELECT min(form_id) FROM outbox INDEXED BY mails_due_of_form WHERE ${IS_PENDING_MAIL} AND form_id > form)
        FROM queues WHERE form IS NOT NULL
      ),
      due_queues(form, due_at) AS MATERIALIZED (
        SELECT form, (
          SELECT due_at FROM outbox INDEXED BY mails_due_of_form WHERE form_id IS form AND ${isDue} ORDER BY due_at LIMIT 1
        ) FROM queues
      ),
      heads(form, team) AS (
        SELECT form, team FROM (
          SELECT q.form, coalesce(w.team_id, '') AS team, q.due_at FROM due_queues q
          LEFT JOIN forms f ON f.id = q.form
          LEFT JOIN workspaces w ON w.id = f.workspace_id
          WHERE q.due_at IS NOT NULL
        )
        ORDER BY row_number() OVER (PARTITION BY team ORDER BY due_at), team <= ${last}, team LIMIT ${limit}
      )
      SELECT id, team FROM (
        SELECT m.id, coalesce(m.team_id, h.team) AS team, m.due_at FROM heads h
        JOIN outbox m ON m.id IN (
          SELECT id FROM outbox INDEXED BY mails_due_of_form WHERE form_id IS h.form AND ${isDue} ORDER BY due_at LIMIT ${limit}
        )
      )
      ORDER BY row_number() OVER (PARTITION BY team ORDER BY due_at), team <= ${last}, team LIMIT ${limit}`;
  });
