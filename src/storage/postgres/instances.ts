import { and, asc, eq, isNotNull, isNull, ne, not, notInArray, or, type SQL, sql } from 'drizzle-orm';
import { type Clock, type Micros, SECOND } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { type Db, updateRows } from '../database.ts';
import type { Instance, ServingProcess } from '../records.ts';
import { instances, outbox, vaultKeys } from '../schema.ts';
import type { EngineStores } from '../store.ts';
import { IS_PENDING } from '../stores/outbox.ts';
import { Leader } from './leader.ts';
import { AWAIT_SERVER_LOCK } from './locks.ts';

/** The instance of an open store, which owns its claims. Commands own claims too, but serve nothing. */
export type Self = { readonly id: string; isServing: boolean };

/** The time without a beat after which a process counts as dead. */
const MAX_SILENCE: Micros = 5 * SECOND;

export const newSelf = (): Self => ({ id: newId('ins'), isServing: false });

/**
 * Returns false if others have declared this serving process dead: it must not claim before its next beat. The lock keeps
 * them from doing so until the transaction ends, so that they find its claims.
 */
export async function mayClaim(tx: Db, self: Self): Promise<boolean> {
  if (!self.isServing) return true;
  const row = tx.select({ id: instances.id }).from(instances).where(eq(instances.id, self.id));
  const found = await tx.locked(row, 'key share');
  return found.length > 0;
}

/** Creates the store methods for serving processes. `clock` replaces that of the database unless it is null. */
export function instanceStore(db: Db, clock: Clock | null, self: Self) {
  const now = (): SQL<Micros> =>
    clock ? sql`${clock()}::bigint` : sql`(extract(epoch FROM clock_timestamp()) * 1000000)::bigint`;
  const leader = new Leader(db, self.id, now);
  const register = async (tx: Db, serving: ServingProcess) => {
    const seen = { ...serving, seenAt: now() };
    const renewed = await updateRows(tx, instances, seen, eq(instances.id, self.id));
    if (renewed > 0) return;
    const isCurrent = tx.select({ id: vaultKeys.id }).from(vaultKeys).where(eq(vaultKeys.state, 'current'));
    const [current] = await tx.locked(isCurrent, 'no key update');
    // A process that others forgot may come back after a rotation. Its records are refused until it uses the new key.
    if (current && current.id !== serving.keyId) return;
    await tx.insert(instances).values({ id: self.id, ...seen, startedAt: now() });
  };
  const isDead = () => sql`(seen_at < ${now()} - ${MAX_SILENCE}::bigint AND id <> ${self.id})`;
  /** Forgets dead processes. Skips those that are being written, so that no two processes deadlock. */
  const forgetDead = (tx: Db) =>
    tx.rows(sql`DELETE FROM instances WHERE id IN (SELECT id FROM instances WHERE ${isDead()} FOR UPDATE SKIP LOCKED)`);
  const releaseClaims = (tx: Db) => {
    const isOfDead = notInArray(outbox.claimedBy, tx.select({ id: instances.id }).from(instances));
    const isLost = and(IS_PENDING, isNotNull(outbox.leasedUntil), or(isNull(outbox.claimedBy), isOfDead));
    return tx.update(outbox).set({ leasedUntil: null }).where(isLost);
  };

  return {
    beat: async (serving) => {
      await db.lockingTransaction(async (tx) => {
        if (!self.isServing) await tx.rows(sql.raw(AWAIT_SERVER_LOCK));
        await register(tx, serving);
        await forgetDead(tx);
        await releaseClaims(tx);
      });
      self.isServing = true;
      await leader.lead();
    },

    leave: async () => {
      await leader.resign();
      await db.delete(instances).where(eq(instances.id, self.id));
      self.isServing = false;
    },

    lead: () => leader.lead(),

    leaderlessFor: () => leader.leaderlessFor(),

    allSealWith: async (keyId) => {
      const others = db.select({ id: instances.id }).from(instances).where(ne(instances.keyId, keyId)).limit(1);
      return (await others).length === 0;
    },

    // Hides the dead instead of forgetting them: a database that was moved refuses changes.
    list: (): Promise<Instance[]> =>
      db.select().from(instances).where(not(isDead())).orderBy(asc(instances.startedAt), asc(instances.id)),
  } satisfies EngineStores['instances'];
}
