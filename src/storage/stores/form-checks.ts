import { and, asc, count, eq, getTableColumns, gt, gte, inArray, isNull } from 'drizzle-orm';
import { type FormCheck, PAGE_FAILURES, type PageProblem } from '../../domain/forms/form-check.ts';
import { type FormAlarm, NO_SUBJECT } from '../../domain/mail/mail.ts';
import { type Clock, DAY, type Micros } from '../../lib/clock.ts';
import { unsentOf } from '../accept-decision.ts';
import { endOfDay } from '../counters.ts';
import { type Db, firstRow, upsert } from '../database.ts';
import type { CheckedForm } from '../records.ts';
import { counters, formChecks, forms, outbox, workspaces } from '../schema.ts';
import { listOwners } from './deliveries.ts';
import { formColumns } from './forms.ts';
import { type MailDomain, queuePerRecipient } from './outbox.ts';
import { fromForms, isOfTeam } from './reach.ts';

// With the form's id, since a joined row counts as missing if its first column is null.
const columns = getTableColumns(formChecks);

const UNCHECKED: FormCheck = {
  pageCheckedAt: null,
  pageSeenAt: null,
  pageFailures: 0,
  pageProblem: null,
  closedUntil: null,
  silentAt: null,
  limitedAt: null,
  unsentAt: null,
};

export function formCheckStore(db: Db, clock: Clock, mailDomain: MailDomain) {
  const find = async (tx: Db, formId: string): Promise<FormCheck> =>
    (await firstRow(tx.select(columns).from(formChecks).where(eq(formChecks.formId, formId)))) ?? UNCHECKED;

  /** Records results, and queues a mail to each owner; about limits of mails to the recipients of the form, if any. */
  const record = (
    formId: string,
    toChanges: (before: FormCheck) => Partial<FormCheck>,
    toAlarm: (after: FormCheck, before: FormCheck) => FormAlarm | null,
  ) =>
    db.lockingTransaction(async (tx) => {
      const [form] = await tx.locked(tx.select(formColumns).from(forms).where(eq(forms.id, formId)), 'no key update');
      if (!form) return 0;
      const before = await find(tx, formId);
      const changes = toChanges(before);
      await upsert(tx, formChecks, ['formId'], { formId, ...changes });
      const kind = toAlarm({ ...before, ...changes }, before);
      if (kind === null) return 0;
      const isOfForm = (kind === 'replies_limited' || kind === 'confirmations_limited') && form.notify.length > 0;
      const recipients = isOfForm ? form.notify : await listOwners(tx, formId);
      return queuePerRecipient(tx, mailDomain, { ...NO_SUBJECT, kind, formId }, recipients, clock());
    });

  const alarm = (formId: string, time: 'silentAt' | 'limitedAt' | 'unsentAt', kind: FormAlarm) =>
    record(
      formId,
      () => ({ [time]: clock() }),
      () => kind,
    );

  return {
    find: (formId: string) => find(db, formId),

    /** Lists a page of all forms outside the trash by id, after the id `after`. */
    list: async ({ after, limit }: Readonly<{ after: string; limit: number }>): Promise<CheckedForm[]> => {
      const query = fromForms(db, { form: formColumns, teamId: workspaces.teamId, check: columns });
      const withChecks = query.leftJoin(formChecks, eq(formChecks.formId, forms.id));
      const isNext = and(gt(forms.id, after), isNull(forms.trashedAt));
      const rows = await withChecks.where(isNext).orderBy(asc(forms.id)).limit(limit);
      return rows.map(({ check, ...row }) => ({ ...row, check: check ?? UNCHECKED }));
    },

    /** Lists forms whose watched page is failing, of a team or of all, up to `max`. */
    listFailingPages: async (max: number, teamId?: string) => {
      const { id, name, watchPage: page, trashedAt } = forms;
      const isFailing = and(gte(formChecks.pageFailures, PAGE_FAILURES), isNull(trashedAt), isOfTeam(db, teamId));
      const withChecks = fromForms(db, { id, name, page }).innerJoin(formChecks, eq(formChecks.formId, id));
      return withChecks.where(isFailing).limit(max);
    },

    /** Records a check of the watched page; null for one that found the form. Returns the number of queued mails. */
    recordPage: (formId: string, pageProblem: PageProblem | null): Promise<number> => {
      const now = clock();
      return record(
        formId,
        ({ pageFailures }) =>
          pageProblem === null
            ? { pageCheckedAt: now, pageSeenAt: now, pageFailures: 0, pageProblem }
            : { pageCheckedAt: now, pageFailures: pageFailures + 1, pageProblem },
        (after, before) => {
          if (after.pageFailures === PAGE_FAILURES) return 'page_failing';
          return after.pageFailures === 0 && before.pageFailures >= PAGE_FAILURES ? 'page_well' : null;
        },
      );
    },

    /** Forgets the results for a page that is no longer watched. */
    forgetPage: (formId: string): Promise<number> =>
      record(
        formId,
        () => ({ pageCheckedAt: null, pageSeenAt: null, pageFailures: 0, pageProblem: null }),
        () => null,
      ),

    /** Records that forms do not accept submissions now. */
    recordClosed: async (formIds: readonly string[]): Promise<void> => {
      if (formIds.length === 0) return;
      await db.lockingTransaction(async (tx) => {
        const named = tx.select({ formId: forms.id }).from(forms).where(inArray(forms.id, formIds));
        const found = await tx.locked(named, 'no key update');
        if (found.length === 0) return;
        const closedUntil = clock();
        await tx
          .insert(formChecks)
          .values(found.map(({ formId }) => ({ formId, closedUntil })))
          .onConflictDoUpdate({ target: formChecks.formId, set: { closedUntil } });
      });
    },

    /** Records that a form is silent. Returns the number of queued mails. */
    recordSilence: (formId: string): Promise<number> => alarm(formId, 'silentAt', 'form_silent'),

    /** Records that a form reached its limit of auto-replies. Returns the number of queued mails. */
    recordLimit: (formId: string): Promise<number> => alarm(formId, 'limitedAt', 'replies_limited'),

    /** Records that a form did not send confirmation mails. Returns the number of queued mails. */
    recordUnsent: (formId: string): Promise<number> => alarm(formId, 'unsentAt', 'confirmations_limited'),

    /** Returns whether a form did not send a confirmation mail since the day before, or since the day of `toldAt`. */
    hasUnsent: async (formId: string, toldAt: Micros | null): Promise<boolean> => {
      // A counter ends with its day.
      const after = Math.max(clock() - DAY, toldAt === null ? 0 : endOfDay(toldAt));
      const isLater = and(eq(counters.owner, unsentOf(formId)), gt(counters.until, after));
      return (await firstRow(db.select({ until: counters.until }).from(counters).where(isLater))) !== null;
    },

    /** Counts the auto-replies of a form in the last 24 hours. */
    countReplies: async (formId: string): Promise<number> => {
      const since: Micros = clock() - DAY;
      const isRecent = and(eq(outbox.formId, formId), eq(outbox.kind, 'auto_reply'), gt(outbox.createdAt, since));
      return (await firstRow(db.select({ total: count() }).from(outbox).where(isRecent)))?.total ?? 0;
    },
  };
}
