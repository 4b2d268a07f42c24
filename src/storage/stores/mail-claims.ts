import { and, asc, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import { MAX_WAIT } from '../../domain/backoff.ts';
import { type Clock, HOUR, type Micros } from '../../lib/clock.ts';
import type { Db } from '../database.ts';
import type { ClaimedMail } from '../records.ts';
import { outbox } from '../schema.ts';
import { IS_MAIL, IS_PENDING, toMail } from './outbox.ts';

/**
 * Finds up to `limit` due mails that are not leased, in turn by team: the oldest of each team, then the second oldest, and so
 * on. Teams follow each other by id, beginning after the team `last`. Leases beyond `maxLease` don't count.
 */
export type FindDueMails = (
  tx: Db,
  limits: Readonly<{ now: Micros; maxLease: Micros; last: string; limit: number }>,
) => Promise<ReadonlyArray<Readonly<{ id: string; team: string | null }>>>;

/** Attempts of a claim whose mails others claimed at the same time. */
const CLAIM_ATTEMPTS = 5;

/** Creates the method that claims due mails for an instance. `mayClaim` returns false if others declared it dead. */
export function mailClaimStore(
  db: Db,
  clock: Clock,
  instanceId: string,
  findDueMails: FindDueMails,
  mayClaim: (tx: Db) => Promise<boolean> = async () => true,
) {
  let last = '';
  const claim = async (tx: Db, limit: number, lease: Micros) => {
    const now = clock();
    // A lease or a due time further ahead than possible is from before the clock went back.
    const maxLease = now + HOUR;
    const isFree = or(isNull(outbox.leasedUntil), lte(outbox.leasedUntil, now), gt(outbox.leasedUntil, maxLease));
    const found = await findDueMails(tx, { now, maxLease, last, limit });
    last = found.at(-1)?.team ?? last;
    const isMisdated = and(IS_PENDING, IS_MAIL, gt(outbox.dueAt, now + MAX_WAIT), isFree);
    const ofWrongTimes = tx.select({ id: outbox.id }).from(outbox).where(isMisdated).orderBy(asc(outbox.dueAt));
    const misdated = await ofWrongTimes.limit(limit - found.length);
    const due = [...found, ...misdated].map(({ id }) => id);
    if (due.length === 0 || !(await mayClaim(tx))) return { due: [], claimed: [] };
    const free = await tx.rows<{ id: string }>(
      sql`SELECT id FROM outbox WHERE ${and(inArray(outbox.id, due), IS_PENDING, isFree)} ${SKIP_LOCKED[tx.engine]}`,
    );
    const ids = free.map(({ id }) => id);
    const leased = { leasedUntil: now + lease, claimedBy: instanceId, fence: sql`${outbox.fence} + 1` };
    const claimed = await tx.update(outbox).set(leased).where(inArray(outbox.id, ids)).returning();
    return { due, claimed };
  };

  return {
    mails: async (limit: number, lease: Micros): Promise<ClaimedMail[]> => {
      // Others may claim the same mails first; then the next ones are due.
      for (let attempt = 1; ; attempt++) {
        const { due, claimed } = await db.lockingTransaction((tx) => claim(tx, limit, lease));
        if (claimed.length > 0 || due.length === 0 || attempt === CLAIM_ATTEMPTS) return claimed.map(toMail);
      }
    },
  };
}

const SKIP_LOCKED = { sqlite: sql``, postgres: sql`FOR UPDATE SKIP LOCKED` };
