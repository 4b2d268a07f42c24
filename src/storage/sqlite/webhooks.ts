import { and, asc, eq, gte, isNotNull, isNull, or } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import { HEALTHY, REST_AFTER, type Webhook } from '../../domain/webhook.ts';
import type { Clock, Micros } from '../../lib/clock.ts';
import type { Drizzle } from './database.ts';
import { deliveryWriter } from './delivery-writers.ts';
import { IS_PENDING, PENDING_SQL } from './outbox.ts';
import { forms, outbox, webhooks, workspaces } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';
import { webhookColumns } from './webhook-columns.ts';

/** Creates the store methods for webhooks. Their deliveries share the outbox with mails. */
export function webhookStore(db: Drizzle, clock: Clock) {
  const write = deliveryWriter(db);
  const isPresent = (id: string) => and(eq(webhooks.id, id), isNull(webhooks.deletedAt));
  const find = (id: string, teamId?: string): Webhook | null =>
    db
      .select(webhookColumns)
      .from(webhooks)
      .innerJoin(forms, eq(forms.id, webhooks.formId))
      .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
      .where(and(isPresent(id), teamId === undefined ? undefined : eq(workspaces.teamId, teamId)))
      .get() ?? null;
  const failingOfTeam = db.$client.query<{ count: number }, [teamId: string, failures: number, max: number]>(
    `SELECT count(*) AS count FROM (
       SELECT 1 FROM workspaces w CROSS JOIN forms f ON f.workspace_id = w.id AND f.trashed_at IS NULL
       CROSS JOIN webhooks h ON h.form_id = f.id WHERE w.team_id = ? AND h.deleted_at IS NULL
         AND (h.disabled_reason IS NOT NULL OR (h.is_active AND h.failures >= ?)) LIMIT ?)`,
  );
  const listOf = (formId: string): Webhook[] =>
    db
      .select(webhookColumns)
      .from(webhooks)
      .where(and(eq(webhooks.formId, formId), isNull(webhooks.deletedAt)))
      .orderBy(asc(webhooks.id))
      .all();
  /** Copies the routes of a form's webhooks to its row, which accepting a post reads anyway. */
  const updateRoutes = (formId: string) => {
    const webhookRoutes = listOf(formId).map(({ id, events, includeSpam, when }) => ({
      id,
      events,
      includeSpam,
      when,
    }));
    db.update(forms).set({ webhookRoutes }).where(eq(forms.id, formId)).run();
  };
  const queuedUpTo = db.$client.query<{ total: number }, [max: number]>(
    `SELECT count(*) AS total FROM (SELECT 1 FROM outbox INDEXED BY deliveries_to_send
     WHERE ${PENDING_SQL} AND webhook_id IS NOT NULL LIMIT ?)`,
  );
  const oldestDue = db.$client.query<{ dueAt: Micros | null }, []>(
    `SELECT min(due) AS dueAt FROM (SELECT (SELECT min(due_at) FROM outbox INDEXED BY deliveries_to_send
       WHERE webhook_id = w.id AND ${PENDING_SQL}) AS due
     FROM webhooks w WHERE w.is_active = 1 AND w.rest_until IS NULL)`,
  );

  return {
    createWebhook: (webhook, max) =>
      transaction(db, () => {
        if (listOf(webhook.formId).length >= max) {
          throw new AppError('conflict', `A form has at most ${max} webhooks. Delete one first.`, {
            reason: ['too_many_webhooks', max],
          });
        }
        db.insert(webhooks)
          .values({ ...webhook, settings: Buffer.from(webhook.settings) })
          .run();
        updateRoutes(webhook.formId);
      }),

    listWebhooks: (formId) => listOf(formId),

    findWebhook: (id, teamId) => find(id, teamId),

    countFailingWebhooks: (teamId, max) => failingOfTeam.get(teamId, REST_AFTER, max)?.count ?? 0,

    listFailingWebhooks: (limit, teamId) =>
      db
        .select(webhookColumns)
        .from(webhooks)
        .innerJoin(forms, eq(forms.id, webhooks.formId))
        .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
        .where(
          and(
            isNull(webhooks.deletedAt),
            isNull(forms.trashedAt),
            teamId === undefined ? undefined : eq(workspaces.teamId, teamId),
            or(
              isNotNull(webhooks.disabledReason),
              and(eq(webhooks.isActive, true), gte(webhooks.failures, REST_AFTER)),
            ),
          ),
        )
        .orderBy(asc(webhooks.id))
        .limit(limit)
        .all(),

    readDeliveryStats: (max) => {
      const queued = queuedUpTo.get(max)?.total ?? 0;
      return { queued, oldestDueAt: oldestDue.get()?.dueAt ?? null };
    },

    updateWebhook: (id, changes, teamId) =>
      transaction(db, () => {
        const before = find(id, teamId);
        if (!before) return null;
        const isResumed = changes.isActive === true && (!before.isActive || before.failures > 0);
        const endpoint = isResumed ? { ...HEALTHY, isSlow: false } : {};
        if (Object.keys(changes).length > 0) {
          db.update(webhooks)
            .set({ ...changes, ...endpoint })
            .where(eq(webhooks.id, id))
            .run();
        }
        if (isResumed) {
          db.update(outbox)
            .set({ dueAt: clock() })
            .where(and(eq(outbox.webhookId, id), IS_PENDING))
            .run();
        }
        updateRoutes(before.formId);
        return find(id);
      }),

    deleteWebhook: (id, teamId) =>
      transaction(db, () => {
        const before = find(id, teamId);
        if (!before) return false;
        const now = clock();
        db.update(webhooks).set({ isActive: false, deletedAt: now }).where(eq(webhooks.id, id)).run();
        db.update(outbox)
          .set({ state: 'canceled', settledAt: now, leasedUntil: null })
          .where(and(eq(outbox.webhookId, id), IS_PENDING))
          .run();
        updateRoutes(before.formId);
        return true;
      }),

    queuePastDeliveries: (webhookId, deliveries) =>
      transaction(db, () => {
        let count = 0;
        for (const delivery of deliveries) {
          const earlier = db
            .update(outbox)
            .set({ state: 'queued', failures: 0, dueAt: clock(), settledAt: null, reason: null })
            .where(
              and(
                eq(outbox.webhookId, webhookId),
                eq(outbox.submissionId, delivery.submissionId ?? ''),
                eq(outbox.event, 'submission.created'),
              ),
            )
            .returning({ id: outbox.id })
            .all();
          if (earlier.length === 0) write([delivery], clock());
          count += 1;
        }
        return count;
      }),
  } satisfies Partial<StoreUnits>;
}
