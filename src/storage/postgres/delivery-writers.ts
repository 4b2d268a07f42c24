import { and, eq, inArray, sql } from 'drizzle-orm';
import type { NewDelivery } from '../../domain/webhook.ts';
import type { Micros } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Db } from './database.ts';
import { forms, outbox } from './schema.ts';

/** Queues deliveries, except for webhooks that were deleted meanwhile. They are due at once, or at their time of `due`. */
export async function queueDeliveries(
  tx: Db,
  deliveries: readonly NewDelivery[],
  now: Micros,
  due: ReadonlyMap<string, Micros> = new Map(),
): Promise<void> {
  if (deliveries.length === 0) return;
  const column = <T>(read: (delivery: NewDelivery) => T) => sql.param(deliveries.map(read));
  await tx.execute(sql`
    INSERT INTO outbox (id, kind, webhook_id, event, submission_id, deleted, message_id, state, failures, due_at, fence, created_at)
    SELECT n.id, 'webhook', n.webhook_id, n.event, n.submission_id, n.deleted::json, n.id, 'queued', 0, n.due_at, 0, ${now}::bigint
    FROM unnest(${column(({ id }) => id)}::text[], ${column(({ webhookId }) => webhookId)}::text[],
      ${column(({ event }) => event)}::text[], ${column(({ submissionId }) => submissionId)}::text[],
      ${column(({ deleted }) => deleted && JSON.stringify(deleted))}::text[],
      ${column(({ id }) => due.get(id) ?? now)}::bigint[])
      AS n(id, webhook_id, event, submission_id, deleted, due_at)
    JOIN webhooks w ON w.id = n.webhook_id AND w.deleted_at IS NULL`);
}

/** Queues the deliveries of a released submission, unless a webhook got it before, as spam. */
export async function queueReleasedDeliveries(
  tx: Db,
  deliveries: readonly NewDelivery[],
  submissionId: string,
  now: Micros,
): Promise<void> {
  if (deliveries.length === 0) return;
  const earlier = await tx
    .select({ webhookId: outbox.webhookId })
    .from(outbox)
    .where(and(eq(outbox.submissionId, submissionId), eq(outbox.event, 'submission.created')));
  const isNew = ({ webhookId }: NewDelivery) => !earlier.some((row) => row.webhookId === webhookId);
  await queueDeliveries(tx, deliveries.filter(isNew), now);
}

/** Queues `submission.deleted` for deleted submissions, where a webhook of their form wants it. */
export async function queueDeletionEvents(
  tx: Db,
  deleted: ReadonlyArray<Readonly<{ id: string; createdAt: Micros; formId: string }>>,
  now: Micros,
): Promise<void> {
  const formIds = [...new Set(deleted.map(({ formId }) => formId))];
  const routes = await tx
    .select({ id: forms.id, webhookRoutes: forms.webhookRoutes })
    .from(forms)
    .where(inArray(forms.id, formIds));
  const routesOf = new Map(routes.map(({ id, webhookRoutes }) => [id, webhookRoutes]));
  const event = 'submission.deleted';
  const deliveries = deleted.flatMap(({ id, createdAt, formId }) =>
    (routesOf.get(formId) ?? [])
      .filter(({ events }) => events.includes(event))
      .map((route) => {
        return {
          id: newId('dlv'),
          webhookId: route.id,
          event,
          submissionId: null,
          deleted: { id, createdAt },
        } as const;
      }),
  );
  await queueDeliveries(tx, deliveries, now);
}
