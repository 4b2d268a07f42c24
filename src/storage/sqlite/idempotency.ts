import { and, eq, gt, lte, sql } from 'drizzle-orm';
import { type Clock, DAY, type Micros } from '../../lib/clock.ts';
import type { Idempotency, Replay, Store } from '../store.ts';
import { type Drizzle, unitOfWork } from './database.ts';
import { idempotencyKeys, spentChallenges } from './schema.ts';

/** How long a key counts. */
const LIFE = DAY;

/** Compares a post with what came under its key before, as of `now`. */
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
  return (formId: string, { key, content }: Idempotency, now: Micros): Replay => {
    const found = read.get({ formId, key, since: now - LIFE });
    if (!found) return 'none';
    return found.content === content ? 'same content' : 'other content';
  };
}

/** What came under which Idempotency-Key, and what counts once. */
export function idempotencyStore(db: Drizzle, clock: Clock): Pick<Store, 'findReplay' | 'pruneExpired'> {
  const readReplay = idempotencyReader(db);
  return {
    findReplay: (formId, idempotency) => unitOfWork(() => readReplay(formId, idempotency, clock())),

    pruneExpired: () =>
      unitOfWork(() => {
        db.delete(idempotencyKeys)
          .where(lte(idempotencyKeys.createdAt, clock() - LIFE))
          .run();
        db.delete(spentChallenges).where(lte(spentChallenges.expiresAt, clock())).run();
      }),
  };
}
