import { and, eq, inArray, sql } from 'drizzle-orm';
import { MAX_WAIT } from '../../domain/backoff.ts';
import { MAX_REST, MAX_RETRY_AFTER, REST_AFTER } from '../../domain/webhooks/webhook.ts';
import { type Clock, HOUR, type Micros } from '../../lib/clock.ts';
import { type Candidate, chooseLanes, type Turns } from '../choose-lanes.ts';
import type { Db } from '../database.ts';
import type { ClaimedDelivery } from '../records.ts';
import { forms, outbox, webhooks } from '../schema.ts';
import type { EngineStores } from '../store.ts';
import { formColumns } from '../stores/forms.ts';
import { IS_PENDING } from '../stores/outbox.ts';
import { claimedColumns, webhookColumns } from '../stores/webhooks.ts';
import { mayClaim, type Self } from './instances.ts';

/** Returns the condition that no delivery of the webhook `w` is leased. A lease longer than possible is no lease. */
const isIdle = (now: Micros) => sql`NOT EXISTS (SELECT 1 FROM outbox o WHERE o.webhook_id = w.id
  AND o.leased_until IS NOT NULL AND o.leased_until > ${now}::bigint AND o.leased_until <= ${now + HOUR}::bigint)`;

/** Creates the store methods that claim deliveries for the instance `self`. */
export function deliveryClaimStore(db: Db, clock: Clock, self: Self) {
  const turns: Turns = new Map();
  /** Lists webhooks with due deliveries, oldest first. Steps from webhook to webhook along the index. */
  const listCandidates = async (now: Micros): Promise<Candidate[]> => {
    const isPending = sql`webhook_id = w.id AND ${IS_PENDING}`;
    const first = (condition: ReturnType<typeof sql>, order: ReturnType<typeof sql>) =>
      sql`(SELECT id, due_at FROM outbox WHERE ${isPending} AND ${condition} ORDER BY ${order} LIMIT 1)`;
    const maxWait = now + MAX_WAIT + MAX_RETRY_AFTER;
    // While an endpoint rests, the delivery with the most failures is its probe, so that the others keep their tries.
    return db.rows<Candidate>(sql`
      WITH RECURSIVE pending(id) AS (
        SELECT min(webhook_id) FROM outbox WHERE ${IS_PENDING} AND webhook_id IS NOT NULL
        UNION ALL
        SELECT (SELECT min(webhook_id) FROM outbox WHERE ${IS_PENDING} AND webhook_id > pending.id)
        FROM pending WHERE pending.id IS NOT NULL)
      SELECT w.id AS "webhookId", ws.team_id AS "teamId", w.is_slow AS "isSlow", d.id, d.due_at AS "dueAt"
      FROM pending p JOIN webhooks w ON w.id = p.id JOIN forms f ON f.id = w.form_id
        JOIN workspaces ws ON ws.id = f.workspace_id
        CROSS JOIN LATERAL (SELECT id, due_at FROM (
          ${first(sql`w.failures < ${REST_AFTER} AND due_at <= ${now}::bigint`, sql`due_at, id`)}
          UNION ALL
          ${first(sql`w.failures < ${REST_AFTER} AND due_at > ${maxWait}::bigint`, sql`due_at, id`)}
          UNION ALL
          ${first(sql`w.failures >= ${REST_AFTER}`, sql`failures DESC, due_at, id`)}
        ) AS firsts ORDER BY due_at, id LIMIT 1) AS d
      WHERE w.is_active
        AND (w.rest_until IS NULL OR w.rest_until <= ${now}::bigint OR w.rest_until > ${now + MAX_REST}::bigint)
        AND ${isIdle(now)}
      ORDER BY d.due_at, d.id`);
  };

  /** Leases chosen deliveries, without those whose webhook others claim at the same time. */
  const lease = (chosen: readonly Candidate[], now: Micros, until: Micros): Promise<ClaimedDelivery[]> =>
    db.lockingTransaction(async (tx) => {
      if (!(await mayClaim(tx, self))) return [];
      const webhookIds = chosen.map(({ webhookId }) => webhookId);
      // The lock of the webhook keeps others from claiming another of its deliveries. Inserts of deliveries go on.
      const locked = await tx.rows<{ id: string }>(sql`
        SELECT id FROM webhooks WHERE id = ANY(${sql.param(webhookIds)}::text[]) AND is_active
        FOR NO KEY UPDATE SKIP LOCKED`);
      const free = new Set(locked.map(({ id }) => id));
      const ids = chosen.filter(({ webhookId }) => free.has(webhookId)).map(({ id }) => id);
      if (ids.length === 0) return [];
      const idle = sql`EXISTS (SELECT 1 FROM webhooks w WHERE w.id = ${outbox.webhookId} AND ${isIdle(now)})`;
      const rows = await leaseRows(tx, self, ids, until, idle);
      const columns = { webhook: webhookColumns, form: formColumns };
      const withForm = tx.select(columns).from(webhooks).innerJoin(forms, eq(forms.id, webhooks.formId));
      const hooks = await withForm.where(inArray(webhooks.id, [...free]));
      return chosen.flatMap(({ id, webhookId, teamId, isSlow }) => {
        const row = rows.find((one) => one.id === id);
        const found = hooks.find(({ webhook }) => webhook.id === webhookId);
        if (!row || !found) return [];
        return [{ ...row, ...found, webhookId, event: row.event ?? 'webhook.test', teamId, isSlow }];
      });
    });

  return {
    deliveries: async (limits) => {
      const now = clock();
      const chosen = chooseLanes(await listCandidates(now), limits, turns);
      return chosen.length === 0 ? [] : lease(chosen, now, now + limits.lease);
    },

    moreDeliveries: (claimed, limit, duration) =>
      db.lockingTransaction(async (tx) => {
        if (!(await mayClaim(tx, self))) return [];
        const now = clock();
        const due = await tx.rows<{ id: string }>(sql`SELECT id FROM outbox
          WHERE webhook_id = ${claimed.webhookId} AND ${IS_PENDING} AND due_at <= ${now}::bigint
            AND event = 'submission.created' AND (leased_until IS NULL OR leased_until <= ${now}::bigint)
          ORDER BY due_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED`);
        const ids = due.map(({ id }) => id);
        const rows = ids.length === 0 ? [] : await leaseRows(tx, self, ids, now + duration);
        return ids.flatMap((id) => {
          const row = rows.find((one) => one.id === id);
          return row ? [{ ...claimed, ...row, webhookId: claimed.webhookId, event: claimed.event }] : [];
        });
      }),
  } satisfies Partial<EngineStores['claims']>;
}

/** Leases pending deliveries. The caller has locked them, or their webhooks. */
function leaseRows(tx: Db, self: Self, ids: readonly string[], until: Micros, condition?: ReturnType<typeof sql>) {
  const leased = { leasedUntil: until, claimedBy: self.id, fence: sql`${outbox.fence} + 1` };
  const isLeased = and(inArray(outbox.id, [...ids]), IS_PENDING, condition);
  return tx.update(outbox).set(leased).where(isLeased).returning(claimedColumns);
}
