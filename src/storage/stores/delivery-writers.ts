import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { NewDelivery } from '../../domain/webhooks/webhook.ts';
import type { Micros } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Db } from '../database.ts';
import { forms, outbox, webhooks } from '../schema.ts';

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
  const routesOf = new Map(routes.map(({ id, webhookRoutes }) => [id, webhookRoutes]));
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
