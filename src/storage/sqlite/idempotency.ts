import { and, eq, lte } from 'drizzle-orm';
import { type Clock, DAY, type Micros } from '../../lib/clock.ts';
import type { Drizzle } from './database.ts';
import { apiRequests, idempotencyKeys, spentChallenges } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

const KEY_LIFETIME = DAY;

/** Returns a function that reads the digest of the post under an Idempotency-Key; null if there is none or it expired. */
export function idempotencyReader({ $client }: Drizzle) {
  const read = $client.query<{ content: string }, [formId: string, key: string, since: Micros]>(
    'SELECT content FROM idempotency_keys WHERE form_id = ? AND key = ? AND created_at > ?',
  );
  return (formId: string, key: string, now: Micros): string | null =>
    read.get(formId, key, now - KEY_LIFETIME)?.content ?? null;
}

/** Creates the store methods for idempotency keys, of posts and of the management API, and for spent challenges. */
export function idempotencyStore(db: Drizzle, clock: Clock) {
  const readContent = idempotencyReader(db);
  return {
    findReplay: (formId, { key, content }) => {
      const earlier = readContent(formId, key, clock());
      if (earlier === null) return 'none';
      return earlier === content ? 'same content' : 'other content';
    },

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
