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
  type CapWarning,
  MAX_WAIT,
  type MailKind,
  type MailSubject,
  type NewMail,
  NO_SUBJECT,
  type Summary,
} from '../../domain/mail.ts';
import { type Clock, DAY, HOUR, type Micros } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Store } from '../store.ts';
import { type Drizzle, unitOfWork } from './database.ts';
import { formColumns } from './forms.ts';
import { forms, outbox, submissions } from './schema.ts';

type OutboxMethods =
  | 'claimMails'
  | 'recordDelivery'
  | 'freeMails'
  | 'listMails'
  | 'retryMails'
  | 'pruneMails'
  | 'findSubmissionWithForm';

const KEPT_SENT = 7 * DAY;
const KEPT_DEAD = 30 * DAY;
/** So that a form cannot be used to mail strangers. */
const AUTO_REPLIES_AN_HOUR = 30;

/** Of mails that are to be sent. */
export const IS_OPEN = sql`state IN ('queued', 'retrying')`;

function mailInsert(db: Drizzle) {
  return db
    .insert(outbox)
    .values({
      id: sql.placeholder('id'),
      kind: sql.placeholder('kind'),
      formId: sql.placeholder('formId'),
      submissionId: sql.placeholder('submissionId'),
      teamId: sql.placeholder('teamId'),
      coversFrom: sql.placeholder('coversFrom'),
      coversUntil: sql.placeholder('coversUntil'),
      percent: sql.placeholder('percent'),
      recipient: sql.placeholder('recipient'),
      addressee: sql.placeholder('addressee'),
      messageId: sql.placeholder('messageId'),
      state: 'queued',
      failures: 0,
      dueAt: sql.placeholder('now'),
      fence: 0,
      createdAt: sql.placeholder('now'),
    })
    .prepare();
}

/** Writes a mail to each of these and says how many; none without the domain that mails are sent from. */
export function mailsToEach(db: Drizzle, mailDomain: string | null) {
  const insert = mailInsert(db);
  return (about: Summary | CapWarning, recipients: readonly string[], now: Micros): number => {
    if (mailDomain === null) return 0;
    for (const recipient of recipients) {
      const id = newId('mail');
      insert.run({ ...about, id, recipient, addressee: null, messageId: `<${id}@${mailDomain}>`, now });
    }
    return recipients.length;
  };
}

/** Writes the mails of a submission, as part of the transaction that keeps it. */
export function mailWriter(db: Drizzle) {
  const insert = mailInsert(db);
  const recentReplies = db
    .select({ addressee: outbox.addressee, createdAt: outbox.createdAt })
    .from(outbox)
    .where(
      and(
        eq(outbox.formId, sql.placeholder('formId')),
        sql`kind = 'auto_reply'`,
        gt(outbox.createdAt, sql.placeholder('since')),
      ),
    )
    .prepare();

  const mayReply = (formId: string, addressee: string | null, now: Micros): boolean => {
    const recent = recentReplies.all({ formId, since: now - DAY });
    const ofHour = recent.filter(({ createdAt }) => createdAt > now - HOUR).length;
    return ofHour < AUTO_REPLIES_AN_HOUR && !recent.some((reply) => reply.addressee === addressee);
  };

  return (mails: readonly NewMail[], formId: string, submissionId: string, now: Micros): void => {
    for (const mail of mails) {
      if (mail.kind === 'auto_reply' && !mayReply(formId, mail.addressee, now)) continue;
      insert.run({ ...NO_SUBJECT, ...mail, formId, submissionId, now });
    }
  };
}

/** Each kind was written with what it is about, and nothing else. */
export function toMail<Row extends { kind: MailKind }>(row: Row): Row & MailSubject {
  return row as Row & MailSubject;
}

/** Mails to be sent and that were sent. */
export function outboxStore(db: Drizzle, clock: Clock): Pick<Store, OutboxMethods> {
  /** The oldest due first. Two searches, as one with both conditions would walk over all that wait. */
  const dueMails = (now: Micros, limit: number): string[] => {
    // A lease that is longer than any was taken before the clock was set back, as was one that is due later than any can be.
    const isFree = or(isNull(outbox.leasedUntil), lte(outbox.leasedUntil, now), gt(outbox.leasedUntil, now + HOUR));
    const find = (isDue: SQL, most: number) =>
      db
        .select({ id: outbox.id })
        .from(outbox)
        .where(and(IS_OPEN, isDue, isFree))
        .orderBy(asc(outbox.dueAt))
        .limit(most)
        .all();
    const due = find(lte(outbox.dueAt, now), limit);
    return [...due, ...find(gt(outbox.dueAt, now + MAX_WAIT), limit - due.length)].map(({ id }) => id);
  };

  return {
    claimMails: (limit, lease) =>
      unitOfWork(() =>
        db.transaction(
          () => {
            const now = clock();
            const due = dueMails(now, limit);
            if (due.length === 0) return [];
            return db
              .update(outbox)
              .set({ leasedUntil: now + lease, fence: sql`fence + 1` })
              .where(inArray(outbox.id, due))
              .returning()
              .all()
              .map(toMail);
          },
          { behavior: 'immediate' },
        ),
      ),

    recordDelivery: (id, fence, result) =>
      unitOfWork(() => {
        const { state } = result;
        const isOver = state === 'sent' || state === 'dead';
        const settled = db
          .update(outbox)
          .set({
            state,
            leasedUntil: null,
            settledAt: isOver ? clock() : null,
            ...('dueAt' in result && { dueAt: result.dueAt }),
            reason: 'reason' in result && result.reason ? Buffer.from(result.reason) : null,
            ...(state === 'retrying' && { failures: sql`failures + 1` }),
          })
          .where(and(eq(outbox.id, id), eq(outbox.fence, fence), isNotNull(outbox.leasedUntil)))
          .returning({ id: outbox.id })
          .all();
        return settled.length > 0;
      }),

    freeMails: () =>
      unitOfWork(() => {
        db.update(outbox)
          .set({ leasedUntil: null })
          .where(and(IS_OPEN, isNotNull(outbox.leasedUntil)))
          .run();
      }),

    listMails: ({ state, limit }) =>
      unitOfWork(() =>
        db
          .select()
          .from(outbox)
          .where(state === null ? undefined : eq(outbox.state, state))
          .orderBy(desc(outbox.id))
          .limit(limit)
          .all()
          .map(toMail),
      ),

    retryMails: (which) =>
      unitOfWork(() => {
        const meant =
          which === 'dead' ? eq(outbox.state, 'dead') : and(eq(outbox.id, which.id), ne(outbox.state, 'sent'));
        return db
          .update(outbox)
          .set({ state: 'queued', failures: 0, dueAt: clock(), settledAt: null, reason: null })
          .where(meant)
          .returning({ id: outbox.id })
          .all().length;
      }),

    pruneMails: () =>
      unitOfWork(() => {
        const now = clock();
        const old = (state: 'sent' | 'dead', kept: Micros) =>
          and(sql`state IN ('sent', 'dead')`, eq(outbox.state, state), lt(outbox.settledAt, now - kept));
        db.delete(outbox).where(old('sent', KEPT_SENT)).run();
        db.delete(outbox).where(old('dead', KEPT_DEAD)).run();
      }),

    findSubmissionWithForm: (id) =>
      unitOfWork(
        () =>
          db
            .select({ submission: getTableColumns(submissions), form: formColumns })
            .from(submissions)
            .innerJoin(forms, eq(forms.id, submissions.formId))
            .where(eq(submissions.id, id))
            .get() ?? null,
      ),
  };
}
