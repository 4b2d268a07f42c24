import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { endpointAfterFailure, HEALTHY, SLOW_MS } from '../../domain/webhooks/webhook.ts';
import type { Clock, Micros } from '../../lib/clock.ts';
import { type Db, firstRow, updateRows } from '../database.ts';
import type { WebhookResult } from '../records.ts';
import { outbox, webhooks } from '../schema.ts';
import { queueWebhookAlert } from './webhook-alerts.ts';

/** Creates the store method that records the outcome of a claimed delivery. */
export function deliveryResultStore(db: Db, clock: Clock, mailDomain: string | null) {
  return {
    /**
     * Records the outcome of an attempt, and the state of the endpoint. Returns null, changing nothing, if the claim is no
     * longer valid. `alert` says that the endpoint has failed for an hour or a day, or was disabled: a mail to each owner is
     * queued with it.
     */
    recordResult: (id: string, fence: number, result: WebhookResult): Promise<Readonly<{ alert: boolean }> | null> =>
      db.lockingTransaction(async (tx) => {
        const now = clock();
        const webhookId = await recordResult(tx, id, fence, result, now);
        if (!webhookId) return null;
        const { state, isShared, pauseUntil, isGone } = result;
        const isSlow = result.isTimeout || result.durationMs > SLOW_MS;
        if (state === 'queued' || state === 'canceled' || isShared) return { alert: false };
        const isWebhook = eq(webhooks.id, webhookId);
        const webhook = await firstRow(tx.locked(tx.select().from(webhooks).where(isWebhook), 'no key update'));
        if (!webhook) return { alert: false };
        if (state === 'sent') {
          const { isActive: _, disabledReason: __, ...healthy } = HEALTHY;
          if (webhook.failures > 0 || webhook.isSlow !== isSlow) {
            await updateRows(tx, webhooks, { ...healthy, isSlow }, isWebhook);
          }
          return { alert: false };
        }
        const { alert, isActive, ...endpoint } = endpointAfterFailure(webhook, now, { pauseUntil, isGone });
        await updateRows(tx, webhooks, { ...endpoint, isActive: webhook.isActive && isActive, isSlow }, isWebhook);
        if (alert) await queueWebhookAlert(tx, mailDomain, webhook.formId, now);
        return { alert };
      }),
  };
}

/** Records the outcome of a claimed delivery. Returns its webhook, or undefined if the claim is no longer valid. */
async function recordResult(tx: Db, id: string, fence: number, result: WebhookResult, now: Micros) {
  const { state, dueAt, reason, status, durationMs } = result;
  const [recorded] = await tx
    .update(outbox)
    .set({
      state,
      leasedUntil: null,
      settledAt: state === 'queued' || state === 'retrying' ? null : now,
      ...(dueAt !== null && { dueAt }),
      ...(state !== 'queued' && { reason: reason && Buffer.from(reason), lastStatus: status, durationMs }),
      ...((state === 'retrying' || state === 'dead') && { failures: sql`${outbox.failures} + 1` }),
    })
    .where(and(eq(outbox.id, id), eq(outbox.fence, fence), isNotNull(outbox.leasedUntil), isNotNull(outbox.webhookId)))
    .returning({ webhookId: outbox.webhookId });
  return recorded?.webhookId;
}
