import { and, asc, gt, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { MAX_WAIT } from '../../domain/backoff.ts';
import { type Clock, HOUR, type Micros } from '../../lib/clock.ts';
import type { Db } from '../database.ts';
import { outbox } from '../schema.ts';
import type { EngineStores } from '../store.ts';
import { IS_MAIL, IS_PENDING, toMail } from '../stores/outbox.ts';
import { mayClaim, type Self } from './instances.ts';

type Row = Readonly<{ id: string; team: string | null }>;
type Params = Readonly<{ now: Micros; maxLease: Micros; limit: number }>;

const IS_PENDING_MAIL = sql.raw(`state IN ('queued', 'retrying') AND webhook_id IS NULL`);

/**
 * Returns the query for due mails in turn by team: the oldest of each team, then the second oldest, and so on. Teams follow
 * each other by id, beginning after the team `last`. A recursive query steps from form to form, so that the cost depends on
 * the number of forms with pending mails but not on the number of mails. The last queue is that of mails without a form; its order
 * names the form too, because a null is no constant to the planner.
 */
function dueMails({ now, maxLease, limit }: Params, last: string) {
  const isDue = sql`${IS_PENDING_MAIL} AND due_at <= ${now}::bigint
    AND (leased_until IS NULL OR leased_until <= ${now}::bigint OR leased_until > ${maxLease}::bigint)`;
  const ofQueue = (queue: ReturnType<typeof sql>, columns: ReturnType<typeof sql>, max: ReturnType<typeof sql>) => sql`
    (SELECT ${columns} FROM outbox WHERE form_id = ${queue} AND ${isDue} ORDER BY due_at LIMIT ${max})
    UNION ALL
    (SELECT ${columns} FROM outbox WHERE ${queue} IS NULL AND form_id IS NULL AND ${isDue}
      ORDER BY form_id, due_at LIMIT ${max})`;
  return sql`
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
    ORDER BY row_number() OVER (PARTITION BY team ORDER BY due_at, id), team <= ${last}, team LIMIT ${limit}`;
}

/** Returns a function that finds up to `limit` due mails that are not leased, taking turns between teams. */
function dueMailsFinder(): (tx: Db, params: Params) => Promise<string[]> {
  let last = '';
  return async (tx, params) => {
    const rows = await tx.rows<Row>(dueMails(params, last));
    last = rows.at(-1)?.team ?? last;
    return rows.map(({ id }) => id);
  };
}

/** Attempts of a claim whose mails others claimed at the same time. */
const CLAIM_ATTEMPTS = 5;

/** Creates the store method that claims due mails for the instance `self`. */
export function mailClaimStore(db: Db, clock: Clock, self: Self) {
  const findDueMails = dueMailsFinder();
  /** Finds due mails. A lease or a due time further ahead than possible is from before the clock went back. */
  const dueMails = async (tx: Db, now: Micros, limit: number, isFree: SQL | undefined): Promise<string[]> => {
    const due = await findDueMails(tx, { now, maxLease: now + HOUR, limit });
    if (due.length === limit) return due;
    const misdated = await tx
      .select({ id: outbox.id })
      .from(outbox)
      .where(and(IS_PENDING, IS_MAIL, gt(outbox.dueAt, now + MAX_WAIT), isFree))
      .orderBy(asc(outbox.dueAt))
      .limit(limit - due.length);
    return [...due, ...misdated.map(({ id }) => id)];
  };

  return {
    mails: async (limit, lease) => {
      // Others may claim the same mails first; then the next ones are due.
      for (let attempt = 1; ; attempt++) {
        const now = clock();
        const isFree = or(isNull(outbox.leasedUntil), lte(outbox.leasedUntil, now), gt(outbox.leasedUntil, now + HOUR));
        const { due, claimed } = await db.lockingTransaction(async (tx) => {
          const due = await dueMails(tx, now, limit, isFree);
          if (due.length === 0 || !(await mayClaim(tx, self))) return { due: [], claimed: [] };
          const free = await tx.rows<{ id: string }>(
            sql`SELECT id FROM outbox WHERE ${and(inArray(outbox.id, due), IS_PENDING, isFree)} FOR UPDATE SKIP LOCKED`,
          );
          const claimed = await tx
            .update(outbox)
            .set({ leasedUntil: now + lease, claimedBy: self.id, fence: sql`${outbox.fence} + 1` })
            .where(
              inArray(
                outbox.id,
                free.map(({ id }) => id),
              ),
            )
            .returning();
          return { due, claimed };
        });
        if (claimed.length > 0 || due.length === 0 || attempt === CLAIM_ATTEMPTS) return claimed.map(toMail);
      }
    },
  } satisfies Partial<EngineStores['claims']>;
}
