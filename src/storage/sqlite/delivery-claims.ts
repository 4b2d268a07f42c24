import { eq, sql } from 'drizzle-orm';
import { MAX_WAIT } from '../../domain/backoff.ts';
import { MAX_REST, MAX_RETRY_AFTER, REST_AFTER } from '../../domain/webhooks/webhook.ts';
import { type Clock, HOUR, type Micros } from '../../lib/clock.ts';
import { chooseLanes, type Turns } from '../choose-lanes.ts';
import type { ClaimedDelivery, DeliveryClaim } from '../records.ts';
import { forms, outbox, webhooks } from '../schema.ts';
import type { EngineStores } from '../store.ts';
import { formColumns } from '../stores/forms.ts';
import { PENDING_SQL } from '../stores/outbox.ts';
import { claimedColumns, webhookColumns } from '../stores/webhooks.ts';
import type { Drizzle } from './database.ts';
import { transaction, type Units } from './units.ts';

/** A webhook with due deliveries. */
type Endpoint = Readonly<{ id: string; teamId: string; isSlow: number; isResting: number }>;

/** Creates the store methods that claim deliveries for the instance `instanceId`. */
export function deliveryClaimStore(db: Drizzle, clock: Clock, instanceId: string) {
  const { $client } = db;
  // Steps from webhook to webhook along the index, so that a long queue of one endpoint is not read.
  const candidates = $client.query<Endpoint, { now: Micros; maxRest: Micros; maxLease: Micros }>(
    `WITH RECURSIVE pending(id) AS (
       SELECT min(webhook_id) FROM outbox INDEXED BY deliveries_to_send WHERE ${PENDING_SQL} AND webhook_id IS NOT NULL
       UNION ALL
       SELECT (SELECT min(webhook_id) FROM outbox INDEXED BY deliveries_to_send
               WHERE ${PENDING_SQL} AND webhook_id > pending.id) FROM pending WHERE pending.id IS NOT NULL)
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
     WHERE webhook_id = $id AND ${PENDING_SQL} AND (due_at <= $now OR due_at > $now + $maxWait)
     ORDER BY due_at, rowid LIMIT 1`,
  );
  const furtherDue = $client.query<Due, { id: string; now: Micros; limit: number }>(
    `SELECT id, due_at AS dueAt FROM outbox INDEXED BY deliveries_to_send
     WHERE webhook_id = $id AND ${PENDING_SQL} AND due_at <= $now AND event = 'submission.created'
       AND (leased_until IS NULL OR leased_until <= $now)
     ORDER BY due_at, rowid LIMIT $limit`,
  );
  /** While an endpoint rests, the delivery with the most failures is its probe, so that the others keep their tries. */
  const probe = $client.query<Due, { id: string }>(
    `SELECT id, due_at AS dueAt FROM outbox WHERE webhook_id = $id AND ${PENDING_SQL}
     ORDER BY failures DESC, due_at, rowid LIMIT 1`,
  );
  const claimOne = db
    .update(outbox)
    .set({ leasedUntil: sql`${sql.placeholder('leasedUntil')}`, claimedBy: instanceId, fence: sql`fence + 1` })
    .where(eq(outbox.id, sql.placeholder('id')))
    .returning(claimedColumns)
    .prepare();
  const withForm = db
    .select({ webhook: webhookColumns, form: formColumns })
    .from(webhooks)
    .innerJoin(forms, eq(forms.id, webhooks.formId))
    .where(eq(webhooks.id, sql.placeholder('id')))
    .prepare();

  const turns: Turns = new Map();
  const claim = (limits: DeliveryClaim): ClaimedDelivery[] => {
    const now = clock();
    const due = candidates.all({ now, maxRest: MAX_REST, maxLease: HOUR }).flatMap(({ id, isResting, ...place }) => {
      const maxWait = MAX_WAIT + MAX_RETRY_AFTER;
      const first = isResting ? probe.get({ id }) : firstDue.get({ id, now, maxWait });
      return first ? [{ ...first, webhookId: id, teamId: place.teamId, isSlow: place.isSlow === 1 }] : [];
    });
    return chooseLanes(due, limits, turns).flatMap(({ id, webhookId, teamId, isSlow }) => {
      const [row] = claimOne.all({ id, leasedUntil: now + limits.lease });
      const found = withForm.get({ id: webhookId });
      if (!row || !found) return [];
      return [{ ...row, ...found, webhookId, event: row.event ?? 'webhook.test', teamId, isSlow }];
    });
  };

  return {
    deliveries: (limits) => {
      // Avoid an empty write transaction, which would wait for the disk.
      if (!candidates.get({ now: clock(), maxRest: MAX_REST, maxLease: HOUR })) return [];
      return transaction(db, () => claim(limits));
    },

    moreDeliveries: (claimed, limit, lease) =>
      transaction(db, () => {
        const now = clock();
        const due = furtherDue.all({ id: claimed.webhookId, now, limit });
        return due.flatMap(({ id }) =>
          claimOne
            .all({ id, leasedUntil: now + lease })
            .map((row) => ({ ...claimed, ...row, webhookId: claimed.webhookId, event: claimed.event })),
        );
      }),
  } satisfies Partial<Units<EngineStores['claims']>>;
}
