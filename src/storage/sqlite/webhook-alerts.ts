import { and, eq, isNull } from 'drizzle-orm';
import { NO_SUBJECT } from '../../domain/mail.ts';
import type { Micros } from '../../lib/clock.ts';
import type { Drizzle } from './database.ts';
import { IS_PENDING, perRecipientMailWriter } from './outbox.ts';
import { forms, members, outbox, users, workspaces } from './schema.ts';

/**
 * Returns a function that queues a mail about failing webhooks of a form to each owner, unless one is queued already: it
 * is composed from the state at that time. It must run in the transaction that records the failure, and does nothing
 * without a mail domain.
 */
export function webhookAlertWriter(db: Drizzle, mailDomain: string | null) {
  const queueMails = perRecipientMailWriter(db, mailDomain);
  return (formId: string, now: Micros): void => {
    const isQueued = and(
      eq(outbox.formId, formId),
      eq(outbox.kind, 'webhook_failing'),
      IS_PENDING,
      isNull(outbox.leasedUntil),
    );
    if (db.select({ id: outbox.id }).from(outbox).where(isQueued).limit(1).get()) return;
    const owners = db
      .select({ email: users.email })
      .from(forms)
      .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
      .innerJoin(members, and(eq(members.teamId, workspaces.teamId), eq(members.role, 'owner')))
      .innerJoin(users, eq(users.id, members.userId))
      .where(eq(forms.id, formId))
      .all();
    queueMails(
      { ...NO_SUBJECT, kind: 'webhook_failing', formId },
      owners.map(({ email }) => email),
      now,
    );
  };
}
