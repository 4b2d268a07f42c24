import { and, desc, eq, gt, lt, sql } from 'drizzle-orm';
import type { Clock } from '../../lib/clock.ts';
import { toStored } from '../stored-delivery.ts';
import type { Drizzle } from './database.ts';
import { PENDING_SQL } from './outbox.ts';
import { outbox } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

/** A value above every id. */
const MAX_ID = '~';

/** Creates the store methods of the log of deliveries, which also requeue them. */
export function deliveryLogStore(db: Drizzle, clock: Clock) {
  const waitingUpTo = db.$client.query<{ total: number }, [webhookId: string, max: number]>(
    `SELECT count(*) AS total FROM (SELECT 1 FROM outbox INDEXED BY deliveries_to_send
     WHERE webhook_id = ? AND ${PENDING_SQL} LIMIT ?)`,
  );

  return {
    listDeliveries: (webhookId, { before, limit }) =>
      db
        .select()
        .from(outbox)
        .where(and(eq(outbox.webhookId, webhookId), lt(outbox.id, before ?? MAX_ID)))
        .orderBy(desc(outbox.id))
        .limit(limit)
        .all()
        .map(toStored),

    readBacklog: (webhookId, max) => {
      const lastFailed = db
        .select()
        .from(outbox)
        .where(
          and(eq(outbox.webhookId, webhookId), gt(outbox.failures, 0), sql`state IN ('queued', 'retrying', 'dead')`),
        )
        .orderBy(desc(sql`settled_at IS NULL`), desc(outbox.settledAt), desc(outbox.failures))
        .limit(1)
        .get();
      return {
        waiting: waitingUpTo.get(webhookId, max)?.total ?? 0,
        lastFailed: lastFailed ? toStored(lastFailed) : null,
      };
    },

    findDelivery: (id) => {
      const row = db
        .select()
        .from(outbox)
        .where(and(eq(outbox.id, id), sql`webhook_id IS NOT NULL`))
        .get();
      return row ? toStored(row) : null;
    },

    redeliver: (which) =>
      transaction(db, () => {
        const condition =
          'id' in which
            ? and(eq(outbox.id, which.id), sql`webhook_id IS NOT NULL`)
            : and(eq(outbox.webhookId, which.webhookId), eq(outbox.state, 'dead'));
        return db
          .update(outbox)
          .set({ state: 'queued', failures: 0, dueAt: clock(), settledAt: null })
          .where(and(condition, sql`state <> 'canceled'`))
          .returning({ id: outbox.id })
          .all().length;
      }),
  } satisfies Partial<StoreUnits>;
}
