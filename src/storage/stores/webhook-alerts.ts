import { and, eq, isNull } from 'drizzle-orm';
import { NO_SUBJECT } from '../../domain/mail/mail.ts';
import type { Micros } from '../../lib/clock.ts';
import type { Db } from '../database.ts';
import { forms, members, outbox, users, workspaces } from '../schema.ts';
import { IS_PENDING, queuePerRecipient } from './outbox.ts';

/**
 * Queues a mail about failing webhooks of a form to each owner, unless one is queued already: it is composed from the
 * state at that time. It must run in the locking transaction that records the failure, and does nothing without a mail
 * domain.
 */
export async function queueWebhookAlert(tx: Db, mailDomain: string | null, formId: string, now: Micros): Promise<void> {
  // Webhooks of the form that fail at the same time wait here, and find the mail of the first.
  await tx.locked(tx.select({ id: forms.id }).from(forms).where(eq(forms.id, formId)), 'no key update');
  const isQueued = and(
    eq(outbox.formId, formId),
    eq(outbox.kind, 'webhook_failing'),
    IS_PENDING,
    isNull(outbox.leasedUntil),
  );
  const [queued] = await tx.select({ id: outbox.id }).from(outbox).where(isQueued).limit(1);
  if (queued) return;
  const recipients = await listOwners(tx, formId);
  await queuePerRecipient(tx, mailDomain, { ...NO_SUBJECT, kind: 'webhook_failing', formId }, recipients, now);
}

/** Returns the addresses of the owners of a form's team. */
export async function listOwners(tx: Db, formId: string): Promise<string[]> {
  const owners = await tx
    .select({ email: users.email })
    .from(forms)
    .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
    .innerJoin(members, and(eq(members.teamId, workspaces.teamId), eq(members.role, 'owner')))
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(forms.id, formId));
  return owners.map(({ email }) => email);
}
