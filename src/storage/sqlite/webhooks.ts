import { and, asc, desc, eq, getTableColumns, gt, gte, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import { MAX_WAIT } from '../../domain/mail.ts';
import {
  endpointAfterFailure,
  HEALTHY,
  MAX_REST,
  MAX_RETRY_AFTER,
  type NewDelivery,
  REST_AFTER,
  type Webhook,
} from '../../domain/webhook.ts';
import { type Clock, HOUR, type Micros } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { ClaimedDelivery, DeliveryClaim, DeliveryState, StoredDelivery } from '../store.ts';
import type { Drizzle } from './database.ts';
import { formColumns } from './forms.ts';
import { forms, outbox, submissions, webhooks, workspaces } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';
import { webhookAlertWriter } from './webhook-alerts.ts';

const { isSlow: _, deletedAt: __, ...webhookColumns } = getTableColumns(webhooks);

const IS_PENDING = "state IN ('queued', 'retrying')";

/** A value above every id. */
const MAX_ID = '~';

/** Returns a function that queues deliveries, except for webhooks that were deleted meanwhile. */
export function deliveryWriter(db: Drizzle) {
  const insert = db.$client.query<null, Record<string, string | number | null>>(
    `INSERT INTO outbox (id, kind, webhook_id, event, submission_id, deleted, message_id, state, failures, due_at, fence, created_at)
     SELECT $id, 'webhook', $webhookId, $event, $submissionId, $deleted, $id, 'queued', 0, $now, 0, $now
     FROM webhooks WHERE id = $webhookId AND deleted_at IS NULL`,
  );
  return (deliveries: readonly NewDelivery[], now: Micros): void => {
    for (const { deleted, ...delivery } of deliveries) {
      insert.run({ ...delivery, deleted: deleted && JSON.stringify(deleted), now });
    }
  };
}

/** Returns a function that queues the deliveries of a released submission, unless a webhook got it before, as spam. */
export function releasedDeliveryWriter(db: Drizzle) {
  const write = deliveryWriter(db);
  return (deliveries: readonly NewDelivery[], submissionId: string, now: Micros): void => {
    if (deliveries.length === 0) return;
    const earlier = db
      .select({ webhookId: outbox.webhookId })
      .from(outbox)
      .where(and(eq(outbox.submissionId, submissionId), eq(outbox.event, 'submission.created')))
      .all();
    write(
      deliveries.filter(({ webhookId }) => !earlier.some((row) => row.webhookId === webhookId)),
      now,
    );
  };
}

/** Creates the store methods for webhooks and their deliveries, which share the outbox with mails. */
export function webhookStore(db: Drizzle, clock: Clock, mailDomain: string | null) {
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
     WHERE ${IS_PENDING} AND webhook_id IS NOT NULL LIMIT ?)`,
  );
  const oldestDue = db.$client.query<{ dueAt: Micros | null }, []>(
    `SELECT min(due) AS dueAt FROM (SELECT (SELECT min(due_at) FROM outbox INDEXED BY deliveries_to_send
       WHERE webhook_id = w.id AND ${IS_PENDING}) AS due
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

    listFailingWebhooks: (limit) =>
      db
        .select(webhookColumns)
        .from(webhooks)
        .where(
          and(
            isNull(webhooks.deletedAt),
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
            .where(and(eq(outbox.webhookId, id), sql.raw(IS_PENDING)))
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
          .where(and(eq(outbox.webhookId, id), sql.raw(IS_PENDING)))
          .run();
        updateRoutes(before.formId);
        return true;
      }),

    ...deliveryMethods(db, clock, mailDomain),
    ...deliveryLog(db, clock),

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

/** A webhook with due deliveries. */
type Candidate = Readonly<{ id: string; teamId: string; isSlow: number; isResting: number }>;

function deliveryMethods(db: Drizzle, clock: Clock, mailDomain: string | null) {
  const queueAlerts = webhookAlertWriter(db, mailDomain);
  const { $client } = db;
  // Steps from webhook to webhook along the index, so that a long queue of one endpoint is not read.
  const candidates = $client.query<Candidate, { now: Micros; maxRest: Micros; maxLease: Micros }>(
    `WITH RECURSIVE pending(id) AS (
       SELECT min(webhook_id) FROM outbox INDEXED BY deliveries_to_send WHERE ${IS_PENDING} AND webhook_id IS NOT NULL
       UNION ALL
       SELECT (SELECT min(webhook_id) FROM outbox INDEXED BY deliveries_to_send
               WHERE ${IS_PENDING} AND webhook_id > pending.id) FROM pending WHERE pending.id IS NOT NULL)
     SELECT w.id, ws.team_id AS teamId, w.is_slow AS isSlow, w.failures >= ${REST_AFTER} AS isResting
     FROM pending p JOIN webhooks w ON w.id = p.id JOIN forms f ON f.id = w.form_id
       JOIN workspaces ws ON ws.id = f.workspace_id
     WHERE w.is_active = 1 AND (w.rest_until IS NULL OR w.rest_until <= $now OR w.rest_until > $now + $maxRest)
       AND NOT EXISTS (SELECT 1 FROM outbox o INDEXED BY deliveries_leased WHERE o.webhook_id = w.id
         AND o.leased_until > $now AND o.leased_until <= $now + $maxLease)`,
  );
  type Due = Readonly<{ id: string; dueAt: Micros }>;
  const firstDue = $client.query<Due, { id: string; now: Micros; maxWait: Micros }>(
    `SELECT id, due_at AS dueAt FROM outbox INDEXED BY deliveries_to_send
     WHERE webhook_id = $id AND ${IS_PENDING} AND (due_at <= $now OR due_at > $now + $maxWait)
     ORDER BY due_at, rowid LIMIT 1`,
  );
  const furtherDue = $client.query<Due, { id: string; now: Micros; limit: number }>(
    `SELECT id, due_at AS dueAt FROM outbox INDEXED BY deliveries_to_send
     WHERE webhook_id = $id AND ${IS_PENDING} AND due_at <= $now AND event = 'submission.created'
       AND (leased_until IS NULL OR leased_until <= $now)
     ORDER BY due_at, rowid LIMIT $limit`,
  );
  /** While an endpoint rests, the delivery with the most failures is its probe, so that the others keep their tries. */
  const probe = $client.query<Due, { id: string }>(
    `SELECT id, due_at AS dueAt FROM outbox WHERE webhook_id = $id AND ${IS_PENDING}
     ORDER BY failures DESC, due_at, rowid LIMIT 1`,
  );
  const claimOne = db
    .update(outbox)
    .set({ leasedUntil: sql`${sql.placeholder('leasedUntil')}`, fence: sql`fence + 1` })
    .where(eq(outbox.id, sql.placeholder('id')))
    .returning({
      id: outbox.id,
      webhookId: outbox.webhookId,
      event: outbox.event,
      submissionId: outbox.submissionId,
      deleted: outbox.deleted,
      failures: outbox.failures,
      fence: outbox.fence,
      createdAt: outbox.createdAt,
    })
    .prepare();
  const withForm = db
    .select({ webhook: webhookColumns, form: formColumns })
    .from(webhooks)
    .innerJoin(forms, eq(forms.id, webhooks.formId))
    .where(eq(webhooks.id, sql.placeholder('id')))
    .prepare();

  const claim = ({ lanes, lanesPerTeam, slowLanes, inFlight, lease }: DeliveryClaim): ClaimedDelivery[] => {
    const now = clock();
    const busy = new Set(inFlight.map(({ webhookId }) => webhookId));
    const lanesOf = new Map<string, number>();
    for (const { teamId } of inFlight) lanesOf.set(teamId, (lanesOf.get(teamId) ?? 0) + 1);
    let slow = inFlight.filter(({ isSlow }) => isSlow).length;
    let free = lanes - inFlight.length;
    const due = candidates
      .all({ now, maxRest: MAX_REST, maxLease: HOUR })
      .filter(({ id }) => !busy.has(id))
      .flatMap((candidate) => {
        const maxWait = MAX_WAIT + MAX_RETRY_AFTER;
        const found = candidate.isResting
          ? probe.get({ id: candidate.id })
          : firstDue.get({ id: candidate.id, now, maxWait });
        return found ? [{ ...candidate, delivery: found }] : [];
      })
      .sort((a, b) => a.delivery.dueAt - b.delivery.dueAt);
    const claimed: ClaimedDelivery[] = [];
    for (const { id, teamId, isSlow, delivery } of due) {
      if (free <= 0) break;
      const ofTeam = lanesOf.get(teamId) ?? 0;
      if (ofTeam >= lanesPerTeam || (isSlow && slow >= slowLanes)) continue;
      const [row] = claimOne.all({ id: delivery.id, leasedUntil: now + lease });
      const found = withForm.get({ id });
      if (!row || !found) continue;
      lanesOf.set(teamId, ofTeam + 1);
      if (isSlow) slow += 1;
      free -= 1;
      claimed.push({
        ...row,
        ...found,
        webhookId: id,
        event: row.event ?? 'webhook.test',
        teamId,
        isSlow: isSlow === 1,
      });
    }
    return claimed;
  };

  return {
    claimDeliveries: (limits) => {
      // Avoid an empty write transaction, which would wait for the disk.
      if (!candidates.get({ now: clock(), maxRest: MAX_REST, maxLease: HOUR })) return [];
      return transaction(db, () => claim(limits));
    },

    claimMoreDeliveries: (claimed, limit, lease) =>
      transaction(db, () => {
        const now = clock();
        const due = furtherDue.all({ id: claimed.webhookId, now, limit });
        return due.flatMap(({ id }) =>
          claimOne
            .all({ id, leasedUntil: now + lease })
            .map((row) => ({ ...claimed, ...row, webhookId: claimed.webhookId, event: claimed.event })),
        );
      }),

    recordWebhookDelivery: (id, fence, result) =>
      transaction(db, () => {
        const { state, dueAt, reason, status, durationMs, isTimeout, pauseUntil, isGone } = result;
        const now = clock();
        const [recorded] = db
          .update(outbox)
          .set({
            state,
            leasedUntil: null,
            settledAt: state === 'queued' || state === 'retrying' ? null : now,
            ...(dueAt !== null && { dueAt }),
            ...(state !== 'queued' && { reason: reason && Buffer.from(reason), lastStatus: status, durationMs }),
            ...((state === 'retrying' || state === 'dead') && { failures: sql`failures + 1` }),
          })
          .where(and(eq(outbox.id, id), eq(outbox.fence, fence), sql`leased_until IS NOT NULL`))
          .returning({ webhookId: outbox.webhookId })
          .all();
        if (!recorded?.webhookId) return null;
        if (state === 'queued' || state === 'canceled' || result.isShared) return { alert: false };
        const webhook = db.select().from(webhooks).where(eq(webhooks.id, recorded.webhookId)).get();
        if (!webhook) return { alert: false };
        if (state === 'sent') {
          if (webhook.failures > 0 || webhook.isSlow) {
            const { isActive: _, disabledReason: __, ...healthy } = HEALTHY;
            db.update(webhooks)
              .set({ ...healthy, isSlow: false })
              .where(eq(webhooks.id, webhook.id))
              .run();
          }
          return { alert: false };
        }
        const { alert, isActive, ...endpoint } = endpointAfterFailure(webhook, now, { pauseUntil, isGone });
        db.update(webhooks)
          .set({ ...endpoint, isActive: webhook.isActive && isActive, isSlow: isTimeout })
          .where(eq(webhooks.id, webhook.id))
          .run();
        if (alert) queueAlerts(webhook.formId, now);
        return { alert };
      }),
  } satisfies Partial<StoreUnits>;
}

const SEEN_AS = {
  queued: 'queued',
  retrying: 'retrying',
  sent: 'delivered',
  dead: 'failed',
  canceled: 'canceled',
} as const;

function deliveryLog(db: Drizzle, clock: Clock) {
  const toStored = (row: typeof outbox.$inferSelect): StoredDelivery => {
    const state: DeliveryState = SEEN_AS[row.state];
    const isPending = state === 'queued' || state === 'retrying';
    return {
      id: row.id,
      webhookId: row.webhookId ?? '',
      event: row.event ?? 'webhook.test',
      submissionId: row.submissionId,
      deleted: row.deleted,
      state,
      attempts: row.failures + (state === 'delivered' ? 1 : 0),
      lastStatus: row.lastStatus,
      durationMs: row.durationMs,
      reason: row.reason,
      dueAt: isPending ? row.dueAt : null,
      createdAt: row.createdAt,
      settledAt: row.settledAt,
    };
  };

  const waitingUpTo = db.$client.query<{ total: number }, [webhookId: string, max: number]>(
    `SELECT count(*) AS total FROM (SELECT 1 FROM outbox INDEXED BY deliveries_to_send
     WHERE webhook_id = ? AND ${IS_PENDING} LIMIT ?)`,
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

/** Returns a function that queues `submission.deleted` for deleted submissions, where a webhook of their form wants it. */
export function deletionEventWriter(db: Drizzle) {
  const write = deliveryWriter(db);
  const routesOf = db
    .select({ webhookRoutes: forms.webhookRoutes })
    .from(submissions)
    .innerJoin(forms, eq(forms.id, submissions.formId))
    .where(eq(submissions.id, sql.placeholder('id')))
    .prepare();
  return (submission: Readonly<{ id: string; createdAt: Micros }>, now: Micros): void => {
    const routes = routesOf.get({ id: submission.id })?.webhookRoutes ?? [];
    const event = 'submission.deleted';
    const deliveries = routes
      .filter(({ events }) => events.includes(event))
      .map(({ id }) => ({ id: newId('dlv'), webhookId: id, event, submissionId: null, deleted: submission }) as const);
    write(deliveries, now);
  };
}

/** Returns a function that queues `form.cap_reached` for the webhooks of a team that want it. */
export function capEventWriter(db: Drizzle) {
  const write = deliveryWriter(db);
  const routesOf = db
    .select({ webhookRoutes: forms.webhookRoutes })
    .from(forms)
    .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
    .where(and(eq(workspaces.teamId, sql.placeholder('teamId')), sql`webhook_routes <> '[]'`))
    .prepare();
  return (teamId: string, now: Micros): void => {
    const event = 'form.cap_reached';
    const routes = routesOf.all({ teamId }).flatMap(({ webhookRoutes }) => webhookRoutes);
    const deliveries = routes
      .filter(({ events }) => events.includes(event))
      .map(({ id }) => ({ id: newId('dlv'), webhookId: id, event, submissionId: null, deleted: null }) as const);
    write(deliveries, now);
  };
}
