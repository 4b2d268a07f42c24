import { and, asc, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import { MAX_WAIT } from '../../domain/backoff.ts';
import { type Clock, HOUR, type Micros } from '../../lib/clock.ts';
import { outbox } from '../schema.ts';
import type { EngineStores } from '../store.ts';
import { IS_MAIL, IS_PENDING, toMail } from '../stores/outbox.ts';
import type { Drizzle } from './database.ts';
import { transaction, type Units } from './units.ts';

type Row = Readonly<{ id: string; team: string | null }>;
type Params = Readonly<{ now: Micros; maxLease: Micros; last: string; limit: number }>;

const IS_PENDING_MAIL = `state IN ('queued', 'retrying') AND webhook_id IS NULL`;

const IS_DUE = `${IS_PENDING_MAIL} AND due_at <= $now
  AND (leased_until IS NULL OR leased_until <= $now OR leased_until > $maxLease)`;

/**
 * The due mails in turn by team: the oldest of each team, then the second oldest, and so on. Teams follow each other by id,
 * beginning after the team `last`. A recursive query steps from form to form, so that the cost depends on the number of forms
 * with pending mails but not on the number of mails.
 */
const DUE_MAILS = `
WITH RECURSIVE
queues(form) AS (
  SELECT min(form_id) FROM outbox INDEXED BY mails_due_of_form WHERE ${IS_PENDING_MAIL}
  UNION ALL
  SELECT (SELECT min(form_id) FROM outbox INDEXED BY mails_due_of_form WHERE ${IS_PENDING_MAIL} AND form_id > form)
  FROM queues WHERE form IS NOT NULL
),
due_queues(form, due_at) AS MATERIALIZED (
  SELECT form, (
    SELECT due_at FROM outbox INDEXED BY mails_due_of_form WHERE form_id IS form AND ${IS_DUE} ORDER BY due_at LIMIT 1
  ) FROM queues
),
heads(form, team) AS (
  SELECT form, team FROM (
    SELECT q.form, coalesce(w.team_id, '') AS team, q.due_at FROM due_queues q
    LEFT JOIN forms f ON f.id = q.form
    LEFT JOIN workspaces w ON w.id = f.workspace_id
    WHERE q.due_at IS NOT NULL
  )
  ORDER BY row_number() OVER (PARTITION BY team ORDER BY due_at), team <= $last, team LIMIT $limit
)
SELECT id, team FROM (
  SELECT m.id, coalesce(m.team_id, h.team) AS team, m.due_at FROM heads h
  JOIN outbox m ON m.id IN (
    SELECT id FROM outbox INDEXED BY mails_due_of_form WHERE form_id IS h.form AND ${IS_DUE} ORDER BY due_at LIMIT $limit
  )
)
ORDER BY row_number() OVER (PARTITION BY team ORDER BY due_at), team <= $last, team LIMIT $limit`;

/** Returns a function that finds up to `limit` due mails that are not leased, taking turns between teams. */
function dueMailsFinder({ $client }: Drizzle): (params: Omit<Params, 'last'>) => string[] {
  const find = $client.query<Row, [Record<string, string | number>]>(DUE_MAILS);
  let last = '';
  return ({ now, maxLease, limit }) => {
    const found = find.all({ $now: now, $maxLease: maxLease, $last: last, $limit: limit });
    last = found.at(-1)?.team ?? last;
    return found.map(({ id }) => id);
  };
}

/** Creates the store method that claims due mails for the instance `instanceId`. */
export function mailClaimStore(db: Drizzle, clock: Clock, instanceId: string) {
  const findDueMails = dueMailsFinder(db);
  /** Finds due mails. A lease or a due time further ahead than possible is from before the clock went back. */
  const dueMails = (now: Micros, limit: number): string[] => {
    const maxLease = now + HOUR;
    const due = findDueMails({ now, maxLease, limit });
    const isFree = or(isNull(outbox.leasedUntil), lte(outbox.leasedUntil, now), gt(outbox.leasedUntil, maxLease));
    const misdated = db
      .select({ id: outbox.id })
      .from(outbox)
      .where(and(IS_PENDING, IS_MAIL, gt(outbox.dueAt, now + MAX_WAIT), isFree))
      .orderBy(asc(outbox.dueAt))
      .limit(limit - due.length)
      .all();
    return [...due, ...misdated.map(({ id }) => id)];
  };

  return {
    mails: (limit, lease) =>
      transaction(db, () => {
        const now = clock();
        const due = dueMails(now, limit);
        if (due.length === 0) return [];
        return db
          .update(outbox)
          .set({ leasedUntil: now + lease, claimedBy: instanceId, fence: sql`fence + 1` })
          .where(inArray(outbox.id, due))
          .returning()
          .all()
          .map(toMail);
      }),
  } satisfies Partial<Units<EngineStores['claims']>>;
}
