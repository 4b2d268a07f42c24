import { and, asc, eq, getTableColumns, gte, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { conflict } from '../../domain/errors.ts';
import { FAILING_AFTER, HEALTHY, type NewDelivery, type Webhook } from '../../domain/webhooks/webhook.ts';
import type { Clock, Micros } from '../../lib/clock.ts';
import { type Db, firstRow, updateRows } from '../database.ts';
import type { WebhookChanges } from '../records.ts';
import { forms, outbox, submissions, webhooks } from '../schema.ts';
import { queueDeliveries } from './deliveries.ts';
import { hasId } from './live-submissions.ts';
import { requireWebhookAuthor } from './members.ts';
import { IS_PENDING, requeued } from './outbox.ts';
import { fromForms, isOfTeam } from './reach.ts';

type NamedWebhook = Webhook & Readonly<{ formName: string }>;

/** Creates the store methods for webhooks. Their deliveries share the outbox with mails. */
export function webhookStore(db: Db, clock: Clock) {
  /** Selects webhooks, of any team without `teamId`. */
  const selectOfTeam = (tx: Db, teamId: string | undefined, condition: SQL | undefined) =>
    fromForms(tx, { ...webhookColumns, formName: forms.name })
      .innerJoin(webhooks, eq(webhooks.formId, forms.id))
      .where(and(condition, isOfTeam(db, teamId)));
  const find = (tx: Db, id: string, teamId?: string): Promise<NamedWebhook | null> =>
    firstRow(selectOfTeam(tx, teamId, and(eq(webhooks.id, id), isNull(webhooks.deletedAt))));
  const toList = async (tx: Db, formId: string): Promise<Webhook[]> => {
    const isOfForm = and(eq(webhooks.formId, formId), isNull(webhooks.deletedAt));
    return tx.select(webhookColumns).from(webhooks).where(isOfForm).orderBy(asc(webhooks.id));
  };
  /** Copies the routes of a form's webhooks to its row, which accepting a post reads anyway. */
  const updateRoutes = async (tx: Db, formId: string): Promise<void> => {
    const toRoute = ({ id, events, includeSpam, when }: Webhook) => ({ id, events, includeSpam, when });
    const webhookRoutes = (await toList(tx, formId)).map(toRoute);
    await tx.update(forms).set({ webhookRoutes }).where(eq(forms.id, formId));
  };
  const keepsFailing = and(webhooks.isActive, gte(webhooks.failures, FAILING_AFTER));
  const isFailing = or(isNotNull(webhooks.disabledReason), keepsFailing);

  return {
    /** Stores a webhook. Throws `AppError('conflict')` if its form has `max` already. */
    create: (webhook: Webhook, max: number): Promise<void> =>
      db.transaction(async (tx) => {
        if (webhook.createdBy !== null) await requireWebhookAuthor(tx, webhook.formId, webhook.createdBy);
        if ((await toList(tx, webhook.formId)).length >= max) {
          throw conflict(`A form has at most ${max} webhooks. Delete one first.`, ['too_many_webhooks', max]);
        }
        await tx.insert(webhooks).values({ ...webhook, settings: Buffer.from(webhook.settings) });
        await updateRoutes(tx, webhook.formId);
      }),

    /** Lists the webhooks of a form, oldest first. */
    list: (formId: string): Promise<Webhook[]> => toList(db, formId),

    /** Finds a webhook, of any team without `teamId`. */
    find: (id: string, teamId?: string): Promise<Webhook | null> => find(db, id, teamId),

    /** Lists webhooks that keep failing or were disabled because of that, of one team or of all, up to `limit`. */
    listFailing: async (limit: number, teamId?: string): Promise<NamedWebhook[]> =>
      selectOfTeam(db, teamId, and(isNull(webhooks.deletedAt), isNull(forms.trashedAt), isFailing))
        .orderBy(asc(webhooks.id))
        .limit(limit),

    // The order makes the planner take the index.
    /** Counts queued deliveries up to `max`, and returns when the oldest due one of an active webhook was due; null if none is. */
    readStats: async (max: number): Promise<Readonly<{ queued: number; oldestDueAt: Micros | null }>> => {
      const rows = await db.rows<{ queued: number; oldestDueAt: Micros | null }>(sql`
        SELECT (SELECT count(*) FROM (
            SELECT 1 FROM outbox WHERE ${IS_PENDING} AND webhook_id IS NOT NULL ORDER BY webhook_id LIMIT ${max}) AS few)
            AS queued,
          (SELECT min((SELECT min(due_at) FROM outbox WHERE webhook_id = w.id AND ${IS_PENDING}))
           FROM webhooks w WHERE w.is_active AND w.rest_until IS NULL) AS "oldestDueAt"`);
      return rows[0] ?? { queued: 0, oldestDueAt: null };
    },

    /** Changes a webhook; null for an unknown one. Activating one forgets its failures and makes its deliveries due. */
    update: (id: string, changes: WebhookChanges, teamId?: string): Promise<Webhook | null> =>
      db.transaction(async (tx) => {
        const before = await find(tx, id, teamId);
        if (!before) return null;
        if (changes.createdBy) await requireWebhookAuthor(tx, before.formId, changes.createdBy);
        const isResumed = changes.isActive === true && (!before.isActive || before.failures > 0);
        const endpoint = isResumed ? { ...HEALTHY, isSlow: false } : {};
        if (Object.keys(changes).length > 0) {
          await updateRows(tx, webhooks, { ...changes, ...endpoint }, eq(webhooks.id, id));
        }
        if (isResumed) await updateRows(tx, outbox, { dueAt: clock() }, and(eq(outbox.webhookId, id), IS_PENDING));
        await updateRoutes(tx, before.formId);
        return find(tx, id);
      }),

    /** Deletes a webhook and cancels its deliveries. Returns false if it does not exist. */
    delete: (id: string, teamId?: string): Promise<boolean> =>
      db.transaction(async (tx) => {
        const before = await find(tx, id, teamId);
        if (!before) return false;
        const now = clock();
        await tx.update(webhooks).set({ isActive: false, deletedAt: now }).where(eq(webhooks.id, id));
        const canceled = { state: 'canceled', settledAt: now, leasedUntil: null } as const;
        await updateRows(tx, outbox, canceled, and(eq(outbox.webhookId, id), IS_PENDING));
        await updateRoutes(tx, before.formId);
        return true;
      }),

    /**
     * Queues deliveries of `submission.created` for submissions of the webhook's form that still exist. One that was delivered
     * before is requeued under its id. Returns the count.
     */
    queuePast: (webhookId: string, deliveries: readonly NewDelivery[]): Promise<number> =>
      db.transaction(async (tx) => {
        const now = clock();
        const ids = deliveries.flatMap(({ submissionId }) => submissionId ?? []);
        // Their deletion waits, and then deletes the deliveries too.
        const isNamed = hasId(...ids);
        const query = tx.select({ id: submissions.id }).from(submissions).where(isNamed);
        const present = new Set((await tx.locked(query, 'key share')).map(({ id }) => id));
        const past = deliveries.filter(({ submissionId }) => present.has(submissionId ?? ''));
        const [added, due] = [[] as NewDelivery[], new Map<string, Micros>()];
        for (const [index, delivery] of past.entries()) {
          // Each is due a microsecond before the next, because ids do not have the order of the submissions.
          const dueAt = now - past.length + index + 1;
          const isSame = eq(outbox.submissionId, delivery.submissionId ?? '');
          const isEarlier = and(eq(outbox.webhookId, webhookId), eq(outbox.event, 'submission.created'), isSame);
          if ((await updateRows(tx, outbox, requeued(dueAt), isEarlier)) > 0) continue;
          added.push(delivery);
          due.set(delivery.id, dueAt);
        }
        await queueDeliveries(tx, added, now, due);
        return past.length;
      }),
  };
}

const { isSlow: _, deletedAt: __, ...columns } = getTableColumns(webhooks);

/** The columns of `Webhook`. */
export const webhookColumns = columns;

const { id, event, submissionId, deleted, failures, fence, createdAt } = outbox;

/** The columns of a delivery that was claimed. */
export const claimedColumns = { id, event, submissionId, deleted, failures, fence, createdAt };
