import { and, asc, desc, eq, getTableColumns, gt, inArray, isNotNull, isNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import {
  type CapWarning,
  MAX_WAIT,
  type MailKind,
  type MailState,
  type MailSubject,
  type NewMail,
  type Summary,
  type WebhookAlert,
} from '../../domain/mail.ts';
import { type Clock, DAY, HOUR, type Micros } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { mayReply, type RecentReply } from '../accept-decision.ts';
import { type Drizzle, placeholders } from './database.ts';
import { dueMailsFinder } from './due-mails.ts';
import { formColumns } from './forms.ts';
import { forms, members, outbox, submissions, users, webhooks, workspaces } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

const SENT_RETENTION = 7 * DAY;
/** Also that of all deliveries to webhooks. */
const DEAD_RETENTION = 30 * DAY;

/** The condition of rows still to be delivered, for plain SQL and for the query builder. */
export const PENDING_SQL = "state IN ('queued', 'retrying')";
export const IS_PENDING = sql.raw(PENDING_SQL);

const IS_SETTLED = sql`state IN ('sent', 'dead', 'canceled')`;

/** The condition of mails; other rows are deliveries to webhooks. */
export const IS_MAIL = sql`webhook_id IS NULL`;

/** Prepares the insert of a mail that is due at once. */
export function prepareMailInsert(db: Drizzle) {
  return db
    .insert(outbox)
    .values({
      ...placeholders(
        'id',
        'kind',
        'formId',
        'submissionId',
        'teamId',
        'coversFrom',
        'coversUntil',
        'percent',
        'replyId',
      ),
      ...placeholders('recipient', 'addressee', 'messageId'),
      state: 'queued',
      failures: 0,
      dueAt: sql.placeholder('now'),
      fence: 0,
      createdAt: sql.placeholder('now'),
    })
    .prepare();
}

/** Returns a function that queues a mail to each recipient and returns the count; none without a mail domain. */
export function perRecipientMailWriter(db: Drizzle, mailDomain: string | null) {
  const insert = prepareMailInsert(db);
  return (subject: Summary | CapWarning | WebhookAlert, recipients: readonly string[], now: Micros): number => {
    if (mailDomain === null) return 0;
    for (const recipient of recipients) {
      const id = newId('mail');
      insert.run({ ...subject, id, recipient, addressee: null, messageId: `<${id}@${mailDomain}>`, now });
    }
    return recipients.length;
  };
}

type MailRow = [
  id: string,
  kind: MailKind,
  formId: string,
  submissionId: string,
  recipient: string | null,
  addressee: string | null,
  messageId: string,
  now: Micros,
];

/** Returns a function that queues a mail of a submission. It must run in the transaction that stores the submission. */
export function submissionMailInsert({ $client }: Drizzle) {
  const insert = $client.query<never, MailRow>(
    `INSERT INTO outbox (id, kind, form_id, submission_id, recipient, addressee, message_id, state, failures, due_at, fence, created_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'queued', 0, ?8, 0, ?8)`,
  );
  return (mail: NewMail, formId: string, submissionId: string, now: Micros): void => {
    const { id, kind, recipient, addressee, messageId } = mail;
    insert.run(id, kind, formId, submissionId, recipient, addressee, messageId, now);
  };
}

/** Returns a function that lists the auto-replies of a form queued after `since`. */
export function recentReplyReader({ $client }: Drizzle) {
  const read = $client.query<RecentReply, [formId: string, since: Micros]>(
    `SELECT addressee, created_at AS createdAt FROM outbox
     WHERE form_id = ? AND kind = 'auto_reply' AND created_at > ?`,
  );
  return (formId: string, since: Micros): RecentReply[] => read.all(formId, since);
}

/** Returns a function that queues the mails of a stored submission, except auto-replies beyond their limits. */
export function submissionMailWriter(db: Drizzle) {
  const insert = submissionMailInsert(db);
  const readReplies = recentReplyReader(db);
  return (mails: readonly NewMail[], formId: string, submissionId: string, now: Micros): void => {
    for (const mail of mails) {
      if (mail.kind === 'auto_reply' && !mayReply(readReplies(formId, now - DAY), mail.addressee, now)) continue;
      insert(mail, formId, submissionId, now);
    }
  };
}

/** Narrows an outbox row to its mail kind. Each row is written with the columns of its kind only. */
export function toMail<Row extends { kind: MailKind }>(row: Row): Row & MailSubject & Readonly<{ state: MailState }> {
  return row as Row & MailSubject & Readonly<{ state: MailState }>;
}

/** Creates the store methods for the outbox. `instanceId` is the owner of claims. */
export function outboxStore(db: Drizzle, clock: Clock, instanceId: string) {
  const findDueMails = dueMailsFinder(db);
  /** Finds due mails. A lease or a due time further ahead than possible is from before the clock went back. */
  const dueMails = (now: Micros, limit: number): string[] => {
    const maxLease = now + HOUR;
    const due = findDueMails({ now, maxLease, limit });
    const isFree = or(isNull(outbox.leasedUntil), lte(outbox.leasedUntil, now), gt(outbox.leasedUntil, maxLease));
    const misdated = db
      .select({ id: outbox.id })
      .from(outbox)
      .where(and(IS_PENDING, IS_MAIL, gt(outbox.dueAt, now + MAX_WAIT), isFree))
      .orderBy(asc(outbox.dueAt))
      .limit(limit - due.length)
      .all();
    return [...due, ...misdated.map(({ id }) => id)];
  };

  const teamOfForm = db
    .select({ id: workspaces.teamId })
    .from(forms)
    .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
    .where(eq(forms.id, sql.placeholder('formId')));
  const ownerLanguage = db
    .select({ language: users.language })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(
      and(eq(members.teamId, sql`coalesce(${sql.placeholder('teamId')}, ${teamOfForm})`), eq(members.role, 'owner')),
    )
    .orderBy(asc(members.createdAt), asc(users.id))
    .limit(1)
    .prepare();

  const isOfSubmission = eq(submissions.id, sql.placeholder('id'));
  const formOfSubmission = db
    .select({ form: formColumns, isSpam: submissions.isSpam })
    .from(submissions)
    .innerJoin(forms, eq(forms.id, submissions.formId))
    .where(isOfSubmission)
    .prepare();
  const submissionWithForm = db
    .select({ submission: getTableColumns(submissions), form: formColumns })
    .from(submissions)
    .innerJoin(forms, eq(forms.id, submissions.formId))
    .where(isOfSubmission)
    .prepare();

  return {
    claimMails: (limit, lease) =>
      transaction(db, () => {
        const now = clock();
        const due = dueMails(now, limit);
        if (due.length === 0) return [];
        return db
          .update(outbox)
          .set({ leasedUntil: now + lease, claimedBy: instanceId, fence: sql`fence + 1` })
          .where(inArray(outbox.id, due))
          .returning()
          .all()
          .map(toMail);
      }),

    recordDelivery: (id, fence, result) => {
      const { state } = result;
      const isClaimed = and(eq(outbox.id, id), eq(outbox.fence, fence), isNotNull(outbox.leasedUntil));
      if (state === 'obsolete') return db.delete(outbox).where(isClaimed).returning({ id: outbox.id }).all().length > 0;
      const isFinal = state === 'sent' || state === 'dead';
      const recorded = db
        .update(outbox)
        .set({
          state,
          leasedUntil: null,
          settledAt: isFinal ? clock() : null,
          ...('dueAt' in result && { dueAt: result.dueAt }),
          reason: 'reason' in result && result.reason ? Buffer.from(result.reason) : null,
          ...((state === 'retrying' || state === 'dead') && { failures: sql`failures + 1` }),
        })
        .where(isClaimed)
        .returning({ id: outbox.id })
        .all();
      return recorded.length > 0;
    },

    listMails: ({ state, limit }) =>
      db
        .select()
        .from(outbox)
        .where(and(IS_MAIL, state === null ? undefined : eq(outbox.state, state)))
        .orderBy(desc(outbox.id))
        .limit(limit)
        .all()
        .map(toMail),

    retryMails: (which) => {
      const condition =
        which === 'dead' ? eq(outbox.state, 'dead') : and(eq(outbox.id, which.id), ne(outbox.state, 'sent'));
      return db
        .update(outbox)
        .set({ state: 'queued', failures: 0, dueAt: clock(), settledAt: null, reason: null })
        .where(and(IS_MAIL, condition))
        .returning({ id: outbox.id })
        .all().length;
    },

    findMailLanguage: ({ recipient, formId, teamId }) => {
      const email = recipient?.toLowerCase() ?? '';
      const own = db.select({ language: users.language }).from(users).where(eq(users.email, email)).get();
      return own?.language ?? ownerLanguage.get({ formId, teamId })?.language ?? null;
    },

    pruneMails: () => {
      const now = clock();
      const isOlder = (retention: Micros) => and(IS_SETTLED, lt(outbox.settledAt, now - retention));
      db.delete(outbox)
        .where(and(isOlder(SENT_RETENTION), IS_MAIL, eq(outbox.state, 'sent')))
        .run();
      // Without its mail a reply counts as sent.
      db.update(outbox)
        .set({ state: 'canceled' })
        .where(and(isOlder(DEAD_RETENTION), IS_MAIL, eq(outbox.state, 'dead'), isNotNull(outbox.replyId)))
        .run();
      db.delete(outbox)
        .where(and(isOlder(DEAD_RETENTION), isNull(outbox.replyId)))
        .run();
      db.delete(webhooks)
        .where(lt(webhooks.deletedAt, now - DEAD_RETENTION))
        .run();
    },

    findFormOfSubmission: (id) => formOfSubmission.get({ id }) ?? null,

    findSubmissionWithForm: (id) => submissionWithForm.get({ id }) ?? null,
  } satisfies Partial<StoreUnits>;
}
