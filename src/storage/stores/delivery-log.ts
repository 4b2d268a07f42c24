import { and, desc, eq, gt, lt, sql } from 'drizzle-orm';
import type { Clock } from '../../lib/clock.ts';
import { type Db, updateRows } from '../database.ts';
import type { StoredDelivery } from '../records.ts';
import { outbox } from '../schema.ts';
import { toStored } from '../stored-delivery.ts';
import { IS_PENDING, requeued } from './outbox.ts';

/** A value above every id. */
const MAX_ID = '~';

/** Creates the store methods of the log of deliveries, which also requeue them. */
export function deliveryLogStore(db: Db, clock: Clock) {
  return {
    /** Lists the deliveries of a webhook with an id below `before` (null: from the newest), newest first. */
    list: async (
      webhookId: string,
      { before, limit }: Readonly<{ before: string | null; limit: number }>,
    ): Promise<StoredDelivery[]> => {
      const rows = await db
        .select()
        .from(outbox)
        .where(and(eq(outbox.webhookId, webhookId), lt(outbox.id, before ?? MAX_ID)))
        .orderBy(desc(outbox.id))
        .limit(limit);
      return rows.map(toStored);
    },

    /** Counts the deliveries that wait for a webhook up to `max`, and returns the one that failed last; null if none did. */
    readBacklog: async (
      webhookId: string,
      max: number,
    ): Promise<Readonly<{ waiting: number; lastFailed: StoredDelivery | null }>> => {
      const rows = await db.rows<{ waiting: number }>(sql`SELECT count(*) AS waiting FROM (
        SELECT 1 FROM outbox WHERE webhook_id = ${webhookId} AND ${IS_PENDING}
        ORDER BY due_at LIMIT ${max}) AS few`);
      const [lastFailed] = await db
        .select()
        .from(outbox)
        .where(
          and(eq(outbox.webhookId, webhookId), gt(outbox.failures, 0), sql`state IN ('queued', 'retrying', 'dead')`),
        )
        .orderBy(desc(sql`settled_at IS NULL`), sql`settled_at DESC NULLS LAST`, desc(outbox.failures))
        .limit(1);
      return { waiting: rows[0]?.waiting ?? 0, lastFailed: lastFailed ? toStored(lastFailed) : null };
    },

    /** Finds a delivery of a webhook and its webhook's form. */
    find: async (id: string): Promise<StoredDelivery | null> => {
      const [row] = await db
        .select()
        .from(outbox)
        .where(and(eq(outbox.id, id), sql`webhook_id IS NOT NULL`));
      return row ? toStored(row) : null;
    },

    /** Requeues one settled or waiting delivery, or all failed ones of a webhook. Returns the count. */
    redeliver: async (which: Readonly<{ id: string }> | Readonly<{ webhookId: string }>): Promise<number> => {
      const condition =
        'id' in which
          ? and(eq(outbox.id, which.id), sql`webhook_id IS NOT NULL`)
          : and(eq(outbox.webhookId, which.webhookId), eq(outbox.state, 'dead'));
      const { reason: _, ...changes } = requeued(clock());
      return updateRows(db, outbox, changes, and(condition, sql`state <> 'canceled'`));
    },
  };
}
