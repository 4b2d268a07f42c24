import { and, asc, eq, isNotNull, isNull, ne, or } from 'drizzle-orm';
import type { Clock } from '../../lib/clock.ts';
import type { Drizzle } from './database.ts';
import { IS_PENDING } from './outbox.ts';
import { instances, outbox } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

/** Creates the store methods for the instance `id`. Its server lock proves that no other one is alive. */
export function instanceStore(db: Drizzle, clock: Clock, id: string) {
  let isRegistered = false;
  const isOfOther = or(isNull(outbox.claimedBy), ne(outbox.claimedBy, id));
  return {
    beat: (process) => {
      if (isRegistered) return;
      transaction(db, () => {
        db.delete(instances).run();
        const now = clock();
        db.insert(instances)
          .values({ id, ...process, startedAt: now, seenAt: now })
          .run();
        db.update(outbox)
          .set({ leasedUntil: null })
          .where(and(IS_PENDING, isNotNull(outbox.leasedUntil), isOfOther))
          .run();
      });
      isRegistered = true;
    },

    leave: () => {
      db.delete(instances).where(eq(instances.id, id)).run();
      isRegistered = false;
    },

    listInstances: () => db.select().from(instances).orderBy(asc(instances.startedAt), asc(instances.id)).all(),
  } satisfies Partial<StoreUnits>;
}
