import { and, eq, gt, lte } from 'drizzle-orm';
import { type Clock, DAY } from '../../lib/clock.ts';
import { type Db, firstRow, insertNew } from '../database.ts';
import type { ApiRequest, Idempotency, ReplayStatus } from '../records.ts';
import { apiRequests, idempotencyKeys, signInAttempts, spentChallenges } from '../schema.ts';

/** Time for which a repetition under an Idempotency-Key is recognized. */
export const KEY_LIFETIME = DAY;

export function idempotencyStore(db: Db, clock: Clock) {
  return {
    /** Checks an Idempotency-Key as accepting does, without storing anything. */
    findReplay: async (formId: string, { key, content }: Idempotency): Promise<ReplayStatus> => {
      const isKey = and(eq(idempotencyKeys.formId, formId), eq(idempotencyKeys.key, key));
      const isLive = and(isKey, gt(idempotencyKeys.createdAt, clock() - KEY_LIFETIME));
      const [earlier] = await db.select({ content: idempotencyKeys.content }).from(idempotencyKeys).where(isLive);
      if (!earlier) return 'none';
      return earlier.content === content ? 'same content' : 'other content';
    },

    /**
     * Records a request to the management API before it runs. `id` is a keyed hash. Returns null, or the request that was
     * recorded under this id in the last 24 hours.
     */
    claimRequest: (id: string, content: string): Promise<ApiRequest | null> =>
      db.transaction(async (tx) => {
        const now = clock();
        const isExpired = lte(apiRequests.createdAt, now - KEY_LIFETIME);
        await tx.delete(apiRequests).where(and(eq(apiRequests.id, id), isExpired));
        if (await insertNew(tx, apiRequests, { id, content, createdAt: now })) return null;
        const { content: earlier, status, response } = apiRequests;
        const columns = { content: earlier, status, response };
        return firstRow(tx.select(columns).from(apiRequests).where(eq(apiRequests.id, id)));
      }),

    answerRequest: async (id: string, status: number, response: Uint8Array | null): Promise<void> => {
      const answer = { status, response: response && Buffer.from(response) };
      await db.update(apiRequests).set(answer).where(eq(apiRequests.id, id));
    },

    /** Forgets a request that was refused. */
    releaseRequest: async (id: string): Promise<void> => {
      await db.delete(apiRequests).where(eq(apiRequests.id, id));
    },

    /** Deletes expired idempotency keys, requests to the management API, challenges and attempts to sign in. */
    pruneExpired: async (): Promise<void> => {
      const expired = clock() - KEY_LIFETIME;
      await db.delete(idempotencyKeys).where(lte(idempotencyKeys.createdAt, expired));
      await db.delete(apiRequests).where(lte(apiRequests.createdAt, expired));
      await db.delete(spentChallenges).where(lte(spentChallenges.expiresAt, clock()));
      await db.delete(signInAttempts).where(lte(signInAttempts.expiresAt, expired));
    },
  };
}
