import { and, eq, gt, lte, sql } from 'drizzle-orm';
import { type Clock, DAY, type Micros } from '../../lib/clock.ts';
import type { Idempotency, ReplayStatus } from '../store.ts';
import type { Drizzle } from './database.ts';
import { apiRequests, idempotencyKeys, spentChallenges } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

const KEY_LIFETIME = DAY;

/** Returns a function that compares a post with the earlier one under the same Idempotency-Key. */
export function idempotencyReader(db: Drizzle) {
  const read = db
    .select({ content: idempotencyKeys.content })
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.formId, sql.placeholder('formId')),
        eq(idempotencyKeys.key, sql.placeholder('key')),
        gt(idempotencyKeys.createdAt, sql.placeholder('since')),
      ),
    )
    .prepare();
  return (formId: string, { key, content }: Idempotency, now: Micros): ReplayStatus => {
    const earlier = read.get({ formId, key, since: now - KEY_LIFETIME });
    if (!earlier) return 'none';
    return earlier.content === content ? 'same content' : 'other content';
  };
}

/** Creates the store methods for idempotency keys, of posts and of the management API, and for spent challenges. */
export function idempotencyStore(db: Drizzle, clock: Clock) {
  const readReplay = idempotencyReader(db);
  return {
    findReplay: (formId, idempotency) => readReplay(formId, idempotency, clock()),

    claimApiRequest: (id, content) =>
      transaction(db, () => {
        const now = clock();
        const isExpired = lte(apiRequests.createdAt, now - KEY_LIFETIME);
        db.delete(apiRequests)
          .where(and(eq(apiRequests.id, id), isExpired))
          .run();
        const claimed = db
          .insert(apiRequests)
          .values({ id, content, createdAt: now })
          .onConflictDoNothing()
          .returning({ id: apiRequests.id })
          .all();
        if (claimed.length > 0) return null;
        const { content: earlier, status, response } = apiRequests;
        return (
          db.select({ content: earlier, status, response }).from(apiRequests).where(eq(apiRequests.id, id)).get() ??
          null
        );
      }),

    answerApiRequest: (id, status, response) => {
      db.update(apiRequests)
        .set({ status, response: response && Buffer.from(response) })
        .where(eq(apiRequests.id, id))
        .run();
    },

    releaseApiRequest: (id) => {
      db.delete(apiRequests).where(eq(apiRequests.id, id)).run();
    },

    pruneExpired: () => {
      db.delete(idempotencyKeys)
        .where(lte(idempotencyKeys.createdAt, clock() - KEY_LIFETIME))
        .run();
      db.delete(apiRequests)
        .where(lte(apiRequests.createdAt, clock() - KEY_LIFETIME))
        .run();
      db.delete(spentChallenges).where(lte(spentChallenges.expiresAt, clock())).run();
    },
  } satisfies Partial<StoreUnits>;
}
