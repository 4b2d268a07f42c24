import { and, eq, sql } from 'drizzle-orm';
import { NO_SUBJECT } from '../../domain/mail/mail.ts';
import type { Period } from '../../domain/usage.ts';
import type { NewDelivery } from '../../domain/webhooks/webhook.ts';
import type { Micros } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { ADD_ON_CONFLICT, type Addition, CLOCK, LASTING } from '../counters.ts';
import { forms, members, outbox, users, workspaces } from '../schema.ts';
import type { MailDomain } from '../stores/outbox.ts';
import { IN_WORKSPACE } from '../stores/reach.ts';
import type { Drizzle } from './database.ts';

// Prepared statements of the accept transaction, which runs without awaiting.

type DeliveryRow = [id: string, webhookId: string, event: string, submissionId: string | null, now: Micros];

/** Returns a function that queues deliveries, of a new submission or of none, except for webhooks that were deleted meanwhile. */
export function deliveryWriter(db: Drizzle) {
  const insert = db.$client.query<never, DeliveryRow>(
    `INSERT INTO outbox (id, kind, webhook_id, event, submission_id, message_id, state, failures, due_at, fence, created_at)
     SELECT ?1, 'webhook', ?2, ?3, ?4, ?1, 'queued', 0, ?5, 0, ?5 FROM webhooks WHERE id = ?2 AND deleted_at IS NULL`,
  );
  return (deliveries: readonly NewDelivery[], now: Micros, submissionId: string | null): void => {
    for (const { id, webhookId, event } of deliveries) insert.run(id, webhookId, event, submissionId, now);
  };
}

/** Returns a function that queues `form.cap_reached` for the webhooks of a team that want it. */
export function capEventWriter(db: Drizzle) {
  const write = deliveryWriter(db);
  const routesOf = db
    .select({ webhookRoutes: forms.webhookRoutes })
    .from(forms)
    .innerJoin(workspaces, IN_WORKSPACE)
    .where(and(eq(workspaces.teamId, sql.placeholder('teamId')), sql`webhook_routes <> '[]'`))
    .prepare();
  return (teamId: string, now: Micros): void => {
    const event = 'form.cap_reached';
    const routes = routesOf.all({ teamId }).flatMap(({ webhookRoutes }) => webhookRoutes);
    const deliveries = routes
      .filter(({ events }) => events.includes(event))
      .map(({ id }) => ({ id: newId('dlv'), webhookId: id, event, submissionId: null, deleted: null }) as const);
    write(deliveries, now, null);
  };
}

/**
 * Returns a function that queues a warning for each member of a team. It must run in the transaction that counts the
 * submission, and does nothing without a mail domain.
 */
export function capWarningWriter(db: Drizzle, mailDomain: MailDomain) {
  return (teamId: string, { start, end }: Period, percent: number, now: Micros): void => {
    const domain = mailDomain();
    if (domain === null) return;
    const withUser = db.select({ email: users.email }).from(members).innerJoin(users, eq(users.id, members.userId));
    const people = withUser.where(eq(members.teamId, teamId)).all();
    const warning = { kind: 'cap_warning', teamId, percent, coversFrom: start, coversUntil: end } as const;
    const state = { state: 'queued', failures: 0, dueAt: now, fence: 0, createdAt: now } as const;
    for (const { email: recipient } of people) {
      const id = newId('mail');
      const mail = { ...NO_SUBJECT, ...warning, ...state, id, recipient, messageId: `<${id}@${domain}>` };
      db.insert(outbox).values(mail).run();
    }
  };
}

export function counterWriter({ $client }: Drizzle) {
  const add = $client.query<never, [until: Micros, owner: string, amount: number, spam: number]>(
    `INSERT INTO counters (until, owner, amount, spam) VALUES (?, ?, ?, ?) ${ADD_ON_CONFLICT}`,
  );
  return ({ until, owner, amount, spam }: Addition): void => void add.run(until, owner, amount, spam);
}

/** Returns a function that reads the latest creation time; 0 before the first. */
export function clockReader({ $client }: Drizzle) {
  const read = $client.query<{ amount: Micros }, [until: Micros, owner: string]>(
    'SELECT amount FROM counters WHERE until = ? AND owner = ?',
  );
  return (): Micros => read.get(LASTING, CLOCK)?.amount ?? 0;
}
