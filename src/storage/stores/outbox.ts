import { and, desc, eq, gt, inArray, isNotNull, isNull, like, lt, ne, or, sql } from 'drizzle-orm';
import type { Form } from '../../domain/forms/form.ts';
import type * as mails from '../../domain/mail/mail.ts';
import type { StoredSubmission } from '../../domain/submissions/submission.ts';
import { type Clock, DAY, type Micros } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { confirmationsTo, mayReply, unsentOf } from '../accept-decision.ts';
import { byAge, type Db, deleteRows, firstRow, updateRows } from '../database.ts';
import type { MailResult } from '../records.ts';
import { counters, forms, members, outbox, submissions, users, webhooks, workspaces } from '../schema.ts';
import { formColumns } from './forms.ts';
import { hasId, submissionColumns } from './live-submissions.ts';
import { fromForms } from './reach.ts';

const SENT_RETENTION = 7 * DAY;
/** Also that of canceled mails, and of all deliveries to webhooks. */
const DEAD_RETENTION = 30 * DAY;

/** The condition of rows still to be delivered, for plain SQL and for the query builder. */
export const PENDING_SQL = "state IN ('queued', 'retrying')";
export const IS_PENDING = sql.raw(PENDING_SQL);

const IS_SETTLED = sql`state IN ('sent', 'dead', 'canceled')`;

/** The condition of mails; other rows are deliveries to webhooks. */
export const IS_MAIL = sql`webhook_id IS NULL`;

/** The condition of mails and deliveries that were not sent because their submission is spam. */
export const IS_UNWANTED = sql`(state = 'canceled' AND reply_id IS NULL
  AND (${IS_MAIL} OR webhook_id IN (SELECT id FROM webhooks WHERE deleted_at IS NULL)))`;

/** Returns the changes that requeue a mail or delivery, with no failures counted. */
export const requeued = (dueAt: Micros) =>
  ({ state: 'queued', failures: 0, dueAt, settledAt: null, reason: null }) as const;

/** Returns the domain of message ids; null while there is no mail server, so that no mail is queued. */
export type MailDomain = () => string | null;

/** Queues a mail to each recipient and returns the count; none without a mail domain. */
export async function queuePerRecipient(
  tx: Db,
  mailDomain: MailDomain,
  subject: mails.Summary | mails.OwnerMail,
  recipients: readonly string[],
  now: Micros,
): Promise<number> {
  const domain = mailDomain();
  if (domain === null) return 0;
  const mails = recipients.map((recipient) => {
    const id = newId('mail');
    return { ...subject, id, recipient, addressee: null, messageId: `<${id}@${domain}>` };
  });
  await queueMails(tx, mails, now);
  return mails.length;
}

/** Narrows an outbox row to its mail kind. Each row is written with the columns of its kind only. */
export function toMail<Row extends { kind: mails.MailKind }>(row: Row): Row & mails.MailSubject {
  return row as Row & mails.MailSubject;
}

export function outboxStore(db: Db, clock: Clock) {
  const ownerLanguage = async (formId: string | null, teamId: string | null): Promise<string | null> => {
    const teamOfForm = fromForms(db, { id: workspaces.teamId }).where(eq(forms.id, formId ?? ''));
    const isOwner = and(eq(members.teamId, teamId ?? sql`${teamOfForm}`), eq(members.role, 'owner'));
    const { id, language } = users;
    const query = db.select({ language }).from(members).innerJoin(users, eq(id, members.userId)).where(isOwner);
    const [owner] = await query.orderBy(byAge({ createdAt: members.createdAt, id })).limit(1);
    return owner?.language ?? null;
  };
  const ofSubmission = eq(forms.key, submissions.formKey);
  const record = async (tx: Db, id: string, fence: number, result: MailResult): Promise<boolean> => {
    const { state } = result;
    const isClaimed = and(eq(outbox.id, id), eq(outbox.fence, fence), isNotNull(outbox.leasedUntil));
    if (state === 'obsolete') return (await deleteRows(tx, outbox, isClaimed)) > 0;
    const outcome = {
      state,
      leasedUntil: null,
      settledAt: state === 'queued' || state === 'retrying' ? null : clock(),
      ...('dueAt' in result && { dueAt: result.dueAt }),
      reason: 'reason' in result && result.reason ? Buffer.from(result.reason) : null,
      ...((state === 'retrying' || state === 'dead') && { failures: sql`${outbox.failures} + 1` }),
    };
    return (await updateRows(tx, outbox, outcome, isClaimed)) > 0;
  };

  return {
    /** Records the outcome of an attempt. Returns false, changing nothing, if the claim is no longer valid. */
    recordResult: (id: string, fence: number, result: MailResult): Promise<boolean> => {
      if (result.state !== 'canceled') return record(db, id, fence, result);
      const again = { state: 'queued', dueAt: clock(), reason: null } as const;
      return db.lockingTransaction(async (tx) => record(tx, id, fence, (await isUnwanted(tx, id)) ? result : again));
    },

    /** Lists mails, newest first. */
    list: async ({
      state,
      limit,
    }: Readonly<{ state: mails.MailState | null; limit: number }>): Promise<mails.StoredMail[]> => {
      const isListed = and(IS_MAIL, state === null ? undefined : eq(outbox.state, state));
      return (await db.select().from(outbox).where(isListed).orderBy(desc(outbox.id)).limit(limit)).map(toMail);
    },

    /** Requeues one unsent mail, or all dead mails, with no failures counted. Returns the count. */
    retry: async (which: Readonly<{ id: string }> | 'dead'): Promise<number> => {
      const condition =
        which === 'dead' ? eq(outbox.state, 'dead') : and(eq(outbox.id, which.id), ne(outbox.state, 'sent'));
      return updateRows(db, outbox, requeued(clock()), and(IS_MAIL, condition));
    },

    /**
     * Returns the language of the user with the recipient's address, or of the first owner of the team of the mail. Null
     * if neither has chosen one.
     */
    findLanguage: async ({ recipient, formId, teamId }: Pick<mails.Mail, 'recipient' | 'formId' | 'teamId'>) => {
      const email = recipient?.toLowerCase() ?? '';
      const [own] = await db.select({ language: users.language }).from(users).where(eq(users.email, email));
      return own?.language ?? ownerLanguage(formId, teamId);
    },

    /** Deletes mails sent more than 7 days ago and those unsent for more than 30. Dead replies are canceled instead. */
    prune: (): Promise<void> =>
      db.transaction(async (tx) => {
        const now = clock();
        const isOlder = (retention: Micros) => and(IS_SETTLED, lt(outbox.settledAt, now - retention));
        await tx.delete(outbox).where(and(isOlder(SENT_RETENTION), IS_MAIL, eq(outbox.state, 'sent')));
        // Without its mail a reply counts as sent.
        const isReply = and(isOlder(DEAD_RETENTION), IS_MAIL, eq(outbox.state, 'dead'), isNotNull(outbox.replyId));
        await updateRows(tx, outbox, { state: 'canceled' }, isReply);
        await tx.delete(outbox).where(and(isOlder(DEAD_RETENTION), isNull(outbox.replyId)));
        const isOfMails = or(like(counters.owner, confirmationsTo('%')), like(counters.owner, unsentOf('%')));
        await tx.delete(counters).where(and(lt(counters.until, now - DAY), isOfMails));
        await tx.delete(webhooks).where(lt(webhooks.deletedAt, now - DEAD_RETENTION));
      }),

    /** Finds the form of a submission of any team, without the payload of the submission, which can be a megabyte. */
    findFormOfSubmission: (id: string): Promise<Readonly<{ form: Form; isSpam: boolean }> | null> => {
      const columns = { form: formColumns, isSpam: submissions.isSpam };
      return firstRow(db.select(columns).from(submissions).innerJoin(forms, ofSubmission).where(hasId(id)));
    },

    /** Finds a submission of any team and its form. */
    findSubmissionWithForm: (id: string): Promise<Readonly<{ submission: StoredSubmission; form: Form }> | null> => {
      const columns = { submission: submissionColumns, form: formColumns };
      return firstRow(db.select(columns).from(submissions).innerJoin(forms, ofSubmission).where(hasId(id)));
    },
  };
}

/** Requeues mails and deliveries, under their ids, that were not sent because their submissions were spam. */
export async function requeueUnwanted(tx: Db, submissionIds: readonly string[], now: Micros): Promise<void> {
  // An auto-reply counts toward the limit of the day on which it was queued, so later it is not sent.
  const isInTime = or(ne(outbox.kind, 'auto_reply'), gt(outbox.createdAt, now - DAY));
  const isTheirs = inArray(outbox.submissionId, [...submissionIds]);
  await updateRows(tx, outbox, requeued(now), and(isTheirs, IS_UNWANTED, isInTime));
}

/** Returns whether the submission of a mail or delivery is spam or deleted. Marks of it wait for the transaction. */
export async function isUnwanted(tx: Db, id: string): Promise<boolean> {
  const [row] = await tx.select({ submissionId: outbox.submissionId }).from(outbox).where(eq(outbox.id, id));
  const ofSubmission = tx.select({ isSpam: submissions.isSpam }).from(submissions);
  const [found] = await tx.locked(ofSubmission.where(hasId(row?.submissionId ?? '')), 'update');
  return found?.isSpam ?? true;
}

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
  mails: readonly mails.NewMail[],
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
  const queued = allowed.map((mail) => ({ ...mail, formId, submissionId }));
  await queueMails(tx, queued, now);
}
