import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { NO_SUBJECT } from '../../domain/mail/mail.ts';
import { endpointAfterFailure, HEALTHY, type NewDelivery, SLOW_MS } from '../../domain/webhooks/webhook.ts';
import type { Clock, Micros } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { countRows, type Db, firstRow, updateRows } from '../database.ts';
import type { DeliveryState, StoredDelivery, WebhookResult } from '../records.ts';
import { forms, members, outbox, users, webhooks, workspaces } from '../schema.ts';
import { IS_PENDING, isUnwanted, type MailDomain, queuePerRecipient, requeued } from './outbox.ts';
import { fromForms } from './reach.ts';

/** A value above every id. */
const MAX_ID = '~';

const isDelivery = (id: string) => and(eq(outbox.id, id), sql`webhook_id IS NOT NULL`);

export function deliveryStore(db: Db, clock: Clock, mailDomain: MailDomain) {
  return {
    /** Lists the deliveries of a webhook with an id below `before` (null: from the newest), newest first. */
    list: async (webhookId: string, { before, limit }: Readonly<{ before: string | null; limit: number }>) => {
      const isListed = and(eq(outbox.webhookId, webhookId), lt(outbox.id, before ?? MAX_ID));
      return (await db.select().from(outbox).where(isListed).orderBy(desc(outbox.id)).limit(limit)).map(toStored);
    },

    /** Counts the deliveries that wait for a webhook up to `max`, and returns the one that failed last; null if none did. */
    readBacklog: async (webhookId: string, max: number) => {
      const pending = sql`SELECT 1 FROM outbox WHERE webhook_id = ${webhookId} AND ${IS_PENDING}
        ORDER BY due_at LIMIT ${max}`;
      const hasFailed = and(gt(outbox.failures, 0), sql`state IN ('queued', 'retrying', 'dead')`);
      const latestFirst = sql`settled_at IS NULL DESC, settled_at DESC NULLS LAST, ${desc(outbox.failures)}`;
      const failed = db
        .select()
        .from(outbox)
        .where(and(eq(outbox.webhookId, webhookId), hasFailed));
      const [lastFailed] = await failed.orderBy(latestFirst).limit(1);
      return { waiting: await countRows(db, pending), lastFailed: lastFailed ? toStored(lastFailed) : null };
    },

    /** Finds a delivery of a webhook and its webhook's form. */
    find: async (id: string): Promise<StoredDelivery | null> => {
      const [row] = await db.select().from(outbox).where(isDelivery(id));
      return row ? toStored(row) : null;
    },

    /** Requeues one settled or waiting delivery, or all failed ones of a webhook. Returns the count. */
    redeliver: async (which: Readonly<{ id: string }> | Readonly<{ webhookId: string }>): Promise<number> => {
      const isFailed = (webhookId: string) => and(eq(outbox.webhookId, webhookId), eq(outbox.state, 'dead'));
      const condition = 'id' in which ? isDelivery(which.id) : isFailed(which.webhookId);
      const { reason: _, ...changes } = requeued(clock());
      return updateRows(db, outbox, changes, and(condition, sql`state <> 'canceled'`));
    },

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
  const { dueAt, reason, status, durationMs } = result;
  const state = result.state === 'canceled' && !(await isUnwanted(tx, id)) ? 'queued' : result.state;
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

/**
 * Queues a mail about failing webhooks of a form to each owner, unless one is queued already: it is composed from the
 * state at that time. It must run in the locking transaction that records the failure, and does nothing without a mail
 * domain.
 */
async function queueWebhookAlert(tx: Db, mailDomain: MailDomain, formId: string, now: Micros): Promise<void> {
  // Webhooks of the form that fail at the same time wait here, and find the mail of the first.
  await tx.locked(tx.select({ id: forms.id }).from(forms).where(eq(forms.id, formId)), 'no key update');
  const isAlert = and(eq(outbox.formId, formId), eq(outbox.kind, 'webhook_failing'));
  const isQueued = and(isAlert, IS_PENDING, isNull(outbox.leasedUntil));
  const [queued] = await tx.select({ id: outbox.id }).from(outbox).where(isQueued).limit(1);
  if (queued) return;
  const recipients = await listOwners(tx, formId);
  await queuePerRecipient(tx, mailDomain, { ...NO_SUBJECT, kind: 'webhook_failing', formId }, recipients, now);
}

/** Returns the addresses of the owners of a form's team. */
export async function listOwners(tx: Db, formId: string): Promise<string[]> {
  const isOwner = and(eq(members.teamId, workspaces.teamId), eq(members.role, 'owner'));
  const withOwners = fromForms(tx, { email: users.email }).innerJoin(members, isOwner);
  const owners = await withOwners.innerJoin(users, eq(users.id, members.userId)).where(eq(forms.id, formId));
  return owners.map(({ email }) => email);
}

const SEEN_AS = {
  queued: 'queued',
  retrying: 'retrying',
  sent: 'delivered',
  dead: 'failed',
  canceled: 'canceled',
} as const;

/** Returns the delivery of a row, as people see it in the log. */
function toStored(row: typeof outbox.$inferSelect): StoredDelivery {
  const { id, submissionId, deleted, lastStatus, durationMs, reason, createdAt, settledAt } = row;
  const state: DeliveryState = SEEN_AS[row.state];
  return {
    ...{ id, submissionId, deleted, state, lastStatus, durationMs, reason, createdAt, settledAt },
    webhookId: row.webhookId ?? '',
    event: row.event ?? 'webhook.test',
    attempts: row.failures + (state === 'delivered' ? 1 : 0),
    dueAt: state === 'queued' || state === 'retrying' ? row.dueAt : null,
  };
}

/** Queues deliveries, except for webhooks that were deleted meanwhile. They are due at once, or at their time of `due`. */
export async function queueDeliveries(
  tx: Db,
  deliveries: readonly NewDelivery[],
  now: Micros,
  due: ReadonlyMap<string, Micros> = new Map(),
): Promise<void> {
  if (deliveries.length === 0) return;
  const ids = [...new Set(deliveries.map(({ webhookId }) => webhookId))];
  const isPresent = and(inArray(webhooks.id, ids), isNull(webhooks.deletedAt));
  const present = await tx.select({ id: webhooks.id }).from(webhooks).where(isPresent);
  const queued = deliveries.filter(({ webhookId }) => present.some(({ id }) => id === webhookId));
  if (queued.length === 0) return;
  const state = { kind: sql`'webhook'`, state: 'queued', failures: 0, fence: 0, createdAt: now } as const;
  const toRow = (delivery: NewDelivery) =>
    ({ ...delivery, ...state, messageId: delivery.id, dueAt: due.get(delivery.id) ?? now }) as const;
  await tx.insert(outbox).values(queued.map(toRow));
}

/** Queues the deliveries of a released submission, unless a webhook got it before, as spam. */
export async function queueReleasedDeliveries(
  tx: Db,
  deliveries: readonly NewDelivery[],
  submissionId: string,
  now: Micros,
): Promise<void> {
  if (deliveries.length === 0) return;
  const isEarlier = and(eq(outbox.submissionId, submissionId), eq(outbox.event, 'submission.created'));
  const earlier = await tx.select({ webhookId: outbox.webhookId }).from(outbox).where(isEarlier);
  const isNew = ({ webhookId }: NewDelivery) => !earlier.some((row) => row.webhookId === webhookId);
  await queueDeliveries(tx, deliveries.filter(isNew), now);
}

/** Queues `submission.deleted` for deleted submissions, where a webhook of their form wants it. */
export async function queueDeletionEvents(
  tx: Db,
  deleted: ReadonlyArray<Readonly<{ id: string; createdAt: Micros; formId: string }>>,
  now: Micros,
): Promise<void> {
  if (deleted.length === 0) return;
  const isAny = inArray(forms.id, [...new Set(deleted.map(({ formId }) => formId))]);
  const { id, webhookRoutes } = forms;
  const routes = await tx.select({ id, webhookRoutes }).from(forms).where(isAny);
  const routesOf = new Map(routes.map((form) => [form.id, form.webhookRoutes]));
  const event = 'submission.deleted';
  const deliveries = deleted.flatMap(({ id, createdAt, formId }) =>
    (routesOf.get(formId) ?? [])
      .filter(({ events }) => events.includes(event))
      .map(({ id: webhookId }) => {
        return { id: newId('dlv'), webhookId, event, submissionId: null, deleted: { id, createdAt } } as const;
      }),
  );
  await queueDeliveries(tx, deliveries, now);
}
