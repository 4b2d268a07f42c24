import { and, eq, sql } from 'drizzle-orm';
import type { NewDelivery } from '../../domain/webhook.ts';
import type { Micros } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Drizzle } from './database.ts';
import { forms, outbox, submissions, workspaces } from './schema.ts';

type DeliveryRow = [
  id: string,
  webhookId: string,
  event: string,
  submissionId: string | null,
  deleted: string | null,
  now: Micros,
];

/** Returns a function that queues deliveries, except for webhooks that were deleted meanwhile. */
export function deliveryWriter(db: Drizzle) {
  const insert = db.$client.query<never, DeliveryRow>(
    `INSERT INTO outbox (id, kind, webhook_id, event, submission_id, deleted, message_id, state, failures, due_at, fence, created_at)
     SELECT ?1, 'webhook', ?2, ?3, ?4, ?5, ?1, 'queued', 0, ?6, 0, ?6 FROM webhooks WHERE id = ?2 AND deleted_at IS NULL`,
  );
  return (deliveries: readonly NewDelivery[], now: Micros): void => {
    for (const { id, webhookId, event, submissionId, deleted } of deliveries) {
      insert.run(id, webhookId, event, submissionId, deleted && JSON.stringify(deleted), now);
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
