import { and, eq, gt } from 'drizzle-orm';
import type { NewMail } from '../../domain/mail/mail.ts';
import { DAY, type Micros } from '../../lib/clock.ts';
import { mayReply } from '../accept-decision.ts';
import type { Db } from '../database.ts';
import { forms, outbox } from '../schema.ts';

type MailRow = Omit<typeof outbox.$inferInsert, 'state' | 'failures' | 'dueAt' | 'fence' | 'createdAt'>;

/** Queues mails that are due at once. */
export async function queueMails(tx: Db, mails: readonly MailRow[], now: Micros): Promise<void> {
  if (mails.length === 0) return;
  const state = { state: 'queued', failures: 0, dueAt: now, fence: 0, createdAt: now } as const;
  await tx.insert(outbox).values(mails.map((mail) => ({ ...mail, ...state })));
}

/**
 * Queues the mails of a stored submission, except auto-replies beyond their limits. The caller must hold the lock of the
 * clock row, which makes the limits exact.
 */
export async function queueSubmissionMails(
  tx: Db,
  mails: readonly NewMail[],
  formId: string,
  submissionId: string,
  now: Micros,
): Promise<void> {
  const isRecent = and(eq(outbox.formId, formId), eq(outbox.kind, 'auto_reply'), gt(outbox.createdAt, now - DAY));
  const recent = mails.some(({ kind }) => kind === 'auto_reply')
    ? await tx.select({ addressee: outbox.addressee }).from(outbox).where(isRecent)
    : [];
  const [form] = await tx.select({ limit: forms.autoReplyDailyLimit }).from(forms).where(eq(forms.id, formId));
  const allowed = mails.filter(({ kind, addressee }) => {
    if (kind !== 'auto_reply') return true;
    if (!mayReply(recent, addressee, form?.limit ?? 0)) return false;
    recent.push({ addressee });
    return true;
  });
  await queueMails(
    tx,
    allowed.map((mail) => ({ ...mail, formId, submissionId })),
    now,
  );
}
