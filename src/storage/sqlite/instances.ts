import { and, asc, eq, isNotNull, isNull, ne, or } from 'drizzle-orm';
import type { Clock } from '../../lib/clock.ts';
import type { ServingProcess } from '../records.ts';
import { instances, outbox } from '../schema.ts';
import type { EngineStores } from '../store.ts';
import { IS_PENDING } from '../stores/outbox.ts';
import type { Drizzle } from './database.ts';
import { transaction, type Units } from './units.ts';

/** Creates the store methods for the instance `id`. Its server lock proves that no other one is alive. */
export function instanceStore(db: Drizzle, clock: Clock, id: string) {
  /** The key of the last beat; null before the first one. */
  let lastKeyId: number | null = null;
  const isOfOther = or(isNull(outbox.claimedBy), ne(outbox.claimedBy, id));
  const register = (serving: ServingProcess) =>
    transaction(db, () => {
      db.delete(instances).run();
      const now = clock();
      db.insert(instances)
        .values({ id, ...serving, startedAt: now, seenAt: now })
        .run();
      const isLeased = and(IS_PENDING, isNotNull(outbox.leasedUntil), isOfOther);
      db.update(outbox).set({ leasedUntil: null }).where(isLeased).run();
    });
  return {
    beat: (serving) => {
      if (lastKeyId === serving.keyId) return;
      // Without a sync, which would delay each start: what a power failure loses here, the next start does again.
      db.$client.run('PRAGMA synchronous = NORMAL');
      try {
        register(serving);
      } finally {
        db.$client.run('PRAGMA synchronous = FULL');
      }
      lastKeyId = serving.keyId;
    },

    leave: () => {
      db.delete(instances).where(eq(instances.id, id)).run();
      lastKeyId = null;
    },

    lead: () => true,

    leaderlessFor: () => 0,

    allSealWith: (keyId) => db.select().from(instances).where(ne(instances.keyId, keyId)).all().length === 0,

    list: () => db.select().from(instances).orderBy(asc(instances.startedAt), asc(instances.id)).all(),
  } satisfies Units<EngineStores['instances']>;
}
