import { and, asc, desc, eq, getTableColumns, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm';
import type { MailKind, MailState, MailSubject, Summary, WebhookAlert } from '../../domain/mail.ts';
import { type Clock, DAY, type Micros } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Db } from '../database.ts';
import { forms, members, outbox, submissions, users, webhooks, workspaces } from '../schema.ts';
import type { Store } from '../store.ts';
import { formColumns } from './forms.ts';
import { queueMails } from './mail-writers.ts';

const SENT_RETENTION = 7 * DAY;
/** Also that of all deliveries to webhooks. */
const DEAD_RETENTION = 30 * DAY;

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

/** Creates the store methods for the outbox. */
export function outboxStore(db: Db, clock: Clock) {
  const ownerLanguage = async (formId: string | null, teamId: string | null): Promise<string | null> => {
    const teamOfForm = db
      .select({ id: workspaces.teamId })
      .from(forms)
      .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
      .where(eq(forms.id, formId ?? ''));
    const [owner] = await db
      .select({ language: users.language })
      .from(members)
      .innerJoin(users, eq(users.id, members.userId))
      .where(and(eq(members.teamId, teamId ?? sql`${teamOfForm}`), eq(members.role, 'owner')))
      .orderBy(asc(members.createdAt), asc(users.id))
      .limit(1);
    return owner?.language ?? null;
  };

  return {
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
      db.transaction(async (tx) => {
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
