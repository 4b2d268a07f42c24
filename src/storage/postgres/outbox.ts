import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import {
  MAX_WAIT,
  type MailKind,
  type MailState,
  type MailSubject,
  type Summary,
  type WebhookAlert,
} from '../../domain/mail.ts';
import { type Clock, DAY, HOUR, type Micros } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Store } from '../store.ts';
import type { Db } from './database.ts';
import { dueMailsFinder } from './due-mails.ts';
import { formColumns } from './forms.ts';
import { mayClaim, type Self } from './instances.ts';
import { queueMails } from './mail-writers.ts';
import { forms, members, outbox, submissions, users, webhooks, workspaces } from './schema.ts';
import { lockingTransaction, transaction } from './units.ts';

const SENT_RETENTION = 7 * DAY;
/** Also that of all deliveries to webhooks. */
const DEAD_RETENTION = 30 * DAY;

/** Attempts of a claim whose mails others claimed at the same time. */
const CLAIM_ATTEMPTS = 5;

/** The condition of rows still to be delivered, for plain SQL and for the query builder. */
export const PENDING_SQL = "state IN ('queued', 'retrying')";
export const IS_PENDING = sql.raw(PENDING_SQL);

const IS_SETTLED = sql`state IN ('sent', 'dead', 'canceled')`;

/** The condition of mails; other rows are deliveries to webhooks. */
export const IS_MAIL = sql`webhook_id IS NULL`;

/** Queues a mail to each recipient and returns the count; none without a mail domain. */
export async function queuePerRecipient(
  tx: Db,
  mailDomain: string | null,
  subject: Summary | WebhookAlert,
  recipients: readonly string[],
  now: Micros,
): Promise<number> {
  if (mailDomain === null) return 0;
  const mails = recipients.map((recipient) => {
    const id = newId('mail');
    return { ...subject, id, recipient, addressee: null, messageId: `<${id}@${mailDomain}>` };
  });
  await queueMails(tx, mails, now);
  return mails.length;
}

/** Narrows an outbox row to its mail kind. Each row is written with the columns of its kind only. */
export function toMail<Row extends { kind: MailKind }>(row: Row): Row & MailSubject & Readonly<{ state: MailState }> {
  return row as Row & MailSubject & Readonly<{ state: MailState }>;
}

/** Creates the store methods for the outbox. `self` is the owner of claims. */
export function outboxStore(db: Db, clock: Clock, self: Self) {
  const findDueMails = dueMailsFinder();
  /** Finds due mails. A lease or a due time further ahead than possible is from before the clock went back. */
  const dueMails = async (tx: Db, now: Micros, limit: number, isFree: SQL | undefined): Promise<string[]> => {
    const due = await findDueMails(tx, { now, maxLease: now + HOUR, limit });
    if (due.length === limit) return due;
    const misdated = await tx
      .select({ id: outbox.id })
      .from(outbox)
      .where(and(IS_PENDING, IS_MAIL, gt(outbox.dueAt, now + MAX_WAIT), isFree))
      .orderBy(asc(outbox.dueAt))
      .limit(limit - due.length);
    return [...due, ...misdated.map(({ id }) => id)];
  };

  const ownerLanguage = async (formId: string | null, teamId: string | null): Promise<string | null> => {
    const teamOfForm = db
      .select({ id: workspaces.teamId })
      .from(forms)
      .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
      .where(sql`${forms.id} = ${formId}::text`);
    const [owner] = await db
      .select({ language: users.language })
      .from(members)
      .innerJoin(users, eq(users.id, members.userId))
      .where(and(eq(members.teamId, sql`coalesce(${teamId}::text, ${teamOfForm})`), eq(members.role, 'owner')))
      .orderBy(asc(members.createdAt), asc(users.id))
      .limit(1);
    return owner?.language ?? null;
  };

  return {
    claimMails: async (limit, lease) => {
      // Others may claim the same mails first; then the next ones are due.
      for (let attempt = 1; ; attempt++) {
        const now = clock();
        const isFree = or(isNull(outbox.leasedUntil), lte(outbox.leasedUntil, now), gt(outbox.leasedUntil, now + HOUR));
        const { due, claimed } = await lockingTransaction(db, async (tx) => {
          const due = await dueMails(tx, now, limit, isFree);
          if (due.length === 0 || !(await mayClaim(tx, self))) return { due: [], claimed: [] };
          const free = tx
            .select({ id: outbox.id })
            .from(outbox)
            .where(and(inArray(outbox.id, due), IS_PENDING, isFree))
            .for('update', { skipLocked: true });
          const claimed = await tx
            .update(outbox)
            .set({ leasedUntil: now + lease, claimedBy: self.id, fence: sql`${outbox.fence} + 1` })
            .where(inArray(outbox.id, free))
            .returning();
          return { due, claimed };
        });
        if (claimed.length > 0 || due.length === 0 || attempt === CLAIM_ATTEMPTS) return claimed.map(toMail);
      }
    },

    recordDelivery: async (id, fence, result) => {
      const { state } = result;
      const isClaimed = and(eq(outbox.id, id), eq(outbox.fence, fence), isNotNull(outbox.leasedUntil));
      if (state === 'obsolete') {
        return (await db.delete(outbox).where(isClaimed).returning({ id: outbox.id })).length > 0;
      }
      const isFinal = state === 'sent' || state === 'dead';
      const recorded = await db
        .update(outbox)
        .set({
          state,
          leasedUntil: null,
          settledAt: isFinal ? clock() : null,
          ...('dueAt' in result && { dueAt: result.dueAt }),
          reason: 'reason' in result && result.reason ? Buffer.from(result.reason) : null,
          ...((state === 'retrying' || state === 'dead') && { failures: sql`${outbox.failures} + 1` }),
        })
        .where(isClaimed)
        .returning({ id: outbox.id });
      return recorded.length > 0;
    },

    listMails: async ({ state, limit }) => {
      const mails = await db
        .select()
        .from(outbox)
        .where(and(IS_MAIL, state === null ? undefined : eq(outbox.state, state)))
        .orderBy(desc(outbox.id))
        .limit(limit);
      return mails.map(toMail);
    },

    retryMails: async (which) => {
      const condition =
        which === 'dead' ? eq(outbox.state, 'dead') : and(eq(outbox.id, which.id), ne(outbox.state, 'sent'));
      const retried = await db
        .update(outbox)
        .set({ state: 'queued', failures: 0, dueAt: clock(), settledAt: null, reason: null })
        .where(and(IS_MAIL, condition))
        .returning({ id: outbox.id });
      return retried.length;
    },

    findMailLanguage: async ({ recipient, formId, teamId }) => {
      const email = recipient?.toLowerCase() ?? '';
      const [own] = await db.select({ language: users.language }).from(users).where(eq(users.email, email));
      return own?.language ?? ownerLanguage(formId, teamId);
    },

    pruneMails: () =>
      transaction(db, async (tx) => {
        const now = clock();
        const isOlder = (retention: Micros) => and(IS_SETTLED, lt(outbox.settledAt, now - retention));
        await tx.delete(outbox).where(and(isOlder(SENT_RETENTION), IS_MAIL, eq(outbox.state, 'sent')));
        // Without its mail a reply counts as sent.
        await tx
          .update(outbox)
          .set({ state: 'canceled' })
          .where(and(isOlder(DEAD_RETENTION), IS_MAIL, eq(outbox.state, 'dead'), isNotNull(outbox.replyId)));
        await tx.delete(outbox).where(and(isOlder(DEAD_RETENTION), isNull(outbox.replyId)));
        await tx.delete(webhooks).where(lt(webhooks.deletedAt, now - DEAD_RETENTION));
      }),

    findFormOfSubmission: async (id) => {
      const [found] = await db
        .select({ form: formColumns, isSpam: submissions.isSpam })
        .from(submissions)
        .innerJoin(forms, eq(forms.id, submissions.formId))
        .where(eq(submissions.id, id));
      return found ?? null;
    },

    findSubmissionWithForm: async (id) => {
      const [found] = await db
        .select({ submission: getTableColumns(submissions), form: formColumns })
        .from(submissions)
        .innerJoin(forms, eq(forms.id, submissions.formId))
        .where(eq(submissions.id, id));
      return found ?? null;
    },
  } satisfies Partial<Store>;
}
