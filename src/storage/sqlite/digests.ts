import { and, asc, count, eq, gt, gte, lt, sql } from 'drizzle-orm';
import { type NewMail, NO_SUBJECT, type Summary } from '../../domain/mail.ts';
import { type Clock, DAY, type Micros } from '../../lib/clock.ts';
import type { Store, SummarySpan } from '../store.ts';
import { type Drizzle, unitOfWork } from './database.ts';
import { IS_OPEN, mailsToEach } from './outbox.ts';
import { forms, outbox, submissions } from './schema.ts';

type DigestMethods = 'listSummedUp' | 'sumUp' | 'countSubmissionsOf' | 'listSubmissionsOf';

/** Up to when a form's submissions were summed up; null where that has not begun. */
type Pointers = Readonly<{ id: string; digestedUntil: Micros | null; heldBackUntil: Micros | null }>;

/** What a summary of that kind is about. What its owner flagged was not held back. */
const IS_OF = {
  digest: sql`is_spam = 0`,
  held_back: sql`is_spam = 1 AND spam_reasons IS NOT NULL`,
} as const;

/** Of the mails of a submission those that are sent as soon as it is kept: where a form has digests, the next tells of it. */
export function mailsAtOnce(
  mails: readonly NewMail[],
  createdAt: Micros,
  digestedUntil: Micros | null,
): readonly NewMail[] {
  const isDigested = digestedUntil !== null && createdAt >= digestedUntil;
  return isDigested ? mails.filter(({ kind }) => kind !== 'notification') : mails;
}

/**
 * For a submission that is older than what was summed up, because the clock was set back: takes the form back to it, with
 * the summaries that are not sent yet, and returns the form as it is then. What came before is older still.
 */
export function pointerKeeper(db: Drizzle) {
  const takeBack = db
    .update(forms)
    .set({
      digestedUntil: sql`min(digested_until, ${sql.placeholder('createdAt')})`,
      heldBackUntil: sql`min(held_back_until, ${sql.placeholder('createdAt')})`,
    })
    .where(eq(forms.id, sql.placeholder('id')))
    .returning({ digestedUntil: forms.digestedUntil, heldBackUntil: forms.heldBackUntil })
    .prepare();
  const takeMailsBack = db
    .update(outbox)
    .set({ coversUntil: sql`min(covers_until, ${sql.placeholder('createdAt')})` })
    .where(and(IS_OPEN, eq(outbox.formId, sql.placeholder('id'))))
    .prepare();
  return <Form extends Pointers>(form: Form, createdAt: Micros): Form => {
    if (createdAt >= Math.max(form.digestedUntil ?? 0, form.heldBackUntil ?? 0)) return form;
    takeMailsBack.run({ id: form.id, createdAt });
    return { ...form, ...takeBack.all({ id: form.id, createdAt })[0] };
  };
}

/** Mails that sum up what came to forms and what was held back as spam. */
export function digestStore(db: Drizzle, clock: Clock, mailDomain: string | null): Pick<Store, DigestMethods> {
  const writeToEach = mailsToEach(db, mailDomain);
  const lastGiven = db.$client.query<{ seq: Micros }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'submissions'");
  const columns = {
    id: forms.id,
    digest: forms.digest,
    timeZone: forms.timeZone,
    digestedUntil: forms.digestedUntil,
    heldBackUntil: forms.heldBackUntil,
  };

  const isOf = ({ kind, formId, coversFrom, coversUntil }: Summary) =>
    and(
      eq(submissions.formId, formId),
      gte(submissions.createdAt, coversFrom),
      lt(submissions.createdAt, coversUntil),
      IS_OF[kind],
    );

  const sumUpForm = ({ formId, digestUntil, heldBackUntil }: SummarySpan): number => {
    const form = db
      .select({ ...columns, notify: forms.notify })
      .from(forms)
      .where(eq(forms.id, formId))
      .get();
    if (!form) return 0;
    let mails = 0;
    /** Queues what came in that time; where it ends. */
    const tell = (kind: Summary['kind'], coversFrom: Micros, coversUntil: Micros): Micros => {
      const summary = { ...NO_SUBJECT, kind, formId, coversFrom, coversUntil };
      const any = db.select({ id: submissions.id }).from(submissions).where(isOf(summary)).limit(1).get();
      if (any) mails += writeToEach(summary, form.notify, clock());
      return coversUntil;
    };

    const pointers = { digestedUntil: form.digestedUntil, heldBackUntil: form.heldBackUntil };
    const afterAll = (lastGiven.get()?.seq ?? 0) + 1;
    if (form.digestedUntil === null) {
      if (form.digest !== null) pointers.digestedUntil = Math.max(afterAll, clock());
    } else if (form.digest === null) {
      tell('digest', form.digestedUntil, afterAll);
      pointers.digestedUntil = null;
    } else if (digestUntil > form.digestedUntil) {
      pointers.digestedUntil = tell('digest', form.digestedUntil, digestUntil);
    }
    const heldBackFrom = form.heldBackUntil ?? heldBackUntil - DAY;
    if (heldBackUntil > heldBackFrom) pointers.heldBackUntil = tell('held_back', heldBackFrom, heldBackUntil);
    db.update(forms).set(pointers).where(eq(forms.id, formId)).run();
    return mails;
  };

  return {
    listSummedUp: ({ after, limit }) =>
      unitOfWork(() =>
        db.select(columns).from(forms).where(gt(forms.id, after)).orderBy(asc(forms.id)).limit(limit).all(),
      ),

    sumUp: (spans) =>
      unitOfWork(() =>
        db.transaction(() => spans.reduce((mails, span) => mails + sumUpForm(span), 0), { behavior: 'immediate' }),
      ),

    countSubmissionsOf: (summary, most) =>
      unitOfWork(() => {
        const some = db
          .select({ id: submissions.createdAt })
          .from(submissions)
          .where(isOf(summary))
          .limit(most)
          .as('some');
        return db.select({ found: count() }).from(some).get()?.found ?? 0;
      }),

    listSubmissionsOf: (summary, { after, limit }) =>
      unitOfWork(() =>
        db
          .select()
          .from(submissions)
          .where(and(isOf(summary), gt(submissions.createdAt, after)))
          .orderBy(asc(submissions.createdAt))
          .limit(limit)
          .all(),
      ),
  };
}
