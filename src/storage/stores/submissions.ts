import { and, eq, isNull, sql } from 'drizzle-orm';
import type { NewMail } from '../../domain/mail/mail.ts';
import { CONFIRM_DAYS, isUnconfirmed, type StoredSubmission } from '../../domain/submissions/submission.ts';
import type { NewDelivery } from '../../domain/webhooks/webhook.ts';
import { type Clock, DAY, type Micros } from '../../lib/clock.ts';
import { getTime } from '../../lib/ids.ts';
import { immediateMails } from '../accept-decision.ts';
import { type Db, firstRow } from '../database.ts';
import type { SubmissionPage } from '../records.ts';
import { forms, outbox, submissions, workspaces } from '../schema.ts';
import { lockClock } from './counters.ts';
import { queueReleasedDeliveries } from './deliveries.ts';
import { formOfTeamFinder, isInFormOf } from './forms.ts';
import * as live from './live-submissions.ts';
import { queueSubmissionMails, requeueUnwanted } from './outbox.ts';
import { IN_WORKSPACE, isOfTeam } from './reach.ts';
import { writeSpamMarks } from './spam-models.ts';

export function submissionStore(db: Db, clock: Clock) {
  const ofTeam = (id: string, teamId: string) => and(live.hasId(id), isOfTeam(db, teamId));
  const isOutsideTrash = and(isNull(submissions.trashedAt), isNull(forms.trashedAt));
  const columns = { ...live.submissionColumns, formId: forms.id };
  const ofForm = eq(forms.key, submissions.formKey);
  const selectWithTeam = () =>
    db.select(columns).from(submissions).innerJoin(forms, ofForm).innerJoin(workspaces, IN_WORKSPACE);

  const findFormOfTeam = formOfTeamFinder(db);
  const isNamed = and(eq(submissions.createdAt, sql.placeholder('at')), eq(submissions.id, sql.placeholder('id')));
  const findSubmission = db.prepared('submission', () =>
    selectWithTeam().where(and(isNamed, isOfTeam(db, sql.placeholder('teamId')), isOutsideTrash, live.IS_CONFIRMED)),
  );

  return {
    /**
     * Lists submissions created before `before` (null: from the newest), newest first; null if the team has no such form.
     * With `maxBytes` the page ends before the payload that would exceed it, but has at least one submission.
     */
    list: async (
      teamId: string,
      formId: string,
      { before, limit, maxBytes = Infinity }: Readonly<{ before: Micros | null; limit: number; maxBytes?: number }>,
    ): Promise<SubmissionPage | null> => {
      if (!(await findFormOfTeam(formId, teamId))) return null;
      const span = { form: formId, above: live.FIRST, below: before ?? live.LAST, limit: limit + 1 };
      // PostgreSQL reads the length of a long payload from the row, without the payload.
      const rows = await db.hotRows<{ created_at: Micros; size: number }, live.Span>(
        'submissions_of_form',
        span,
        (values) => live.liveQuery(db, live.LIVE, 'DESC', values, sql`created_at, length(payload) AS size`),
      );
      const count = Math.min(limit, countFitting(rows, maxBytes));
      const times = rows.slice(0, count).map(({ created_at }) => created_at);
      return { items: await live.submissionsAt(db, times, 'DESC'), hasMore: rows.length > count };
    },

    /** Finds a confirmed submission outside the trash. */
    find: (id: string, teamId: string): Promise<StoredSubmission | null> =>
      firstRow(findSubmission({ id, at: getTime(id), teamId })),

    /** Returns the form ids of those confirmed submissions that belong to the team and are outside the trash. */
    findForms: async (ids: readonly string[], teamId: string): Promise<ReadonlyMap<string, string>> => {
      const isLive = and(
        live.hasId(...ids),
        isInFormOf(db, teamId, 'live'),
        live.IS_CONFIRMED,
        isNull(submissions.trashedAt),
      );
      const rows = await db.select({ id: submissions.id, formId: live.FORM_ID }).from(submissions).where(isLive);
      return new Map(rows.map(({ id, formId }) => [id, formId]));
    },

    /** Finds a submission, in the trash too. */
    findStored: (id: string, teamId: string): Promise<StoredSubmission | null> =>
      firstRow(selectWithTeam().where(ofTeam(id, teamId))),

    /** Lists the newest submissions of a form, all or only spam or possible spam, newest first; null without the form. */
    listRecent: async (
      formId: string,
      {
        onlySpam,
        onlyMaybeSpam = false,
        limit,
      }: Readonly<{ onlySpam: boolean; onlyMaybeSpam?: boolean; limit: number }>,
    ): Promise<StoredSubmission[] | null> => {
      const [form] = await db.select({ id: forms.id }).from(forms).where(eq(forms.id, formId));
      if (!form) return null;
      const span = { form: formId, above: live.FIRST, below: live.LAST, limit };
      const ofFolders = () => live.liveQuery(db, onlySpam ? ['spam'] : live.LIVE, 'DESC', span);
      const query = onlyMaybeSpam ? live.maybeSpamQuery(db, 'DESC', span) : ofFolders();
      return live.submissionsAt(db, await live.timesOf(db, query), 'DESC');
    },

    /**
     * Sets the spam flag and returns the updated submission, or null if it does not exist. It is no longer possible spam.
     * Marking it as genuine deletes its spam reasons, if it has any, and queues `mails`. With null for `mails` the reasons
     * stay. `deliveries` are queued if it was spam or possible spam, unless a webhook got the submission before.
     */
    mark: (id: string, isSpam: boolean, mails: readonly NewMail[] | null, deliveries: readonly NewDelivery[]) =>
      db.lockingTransaction(async (tx) => {
        const now = clock();
        const mayRelease = !isSpam && mails !== null && mails.length > 0;
        // Posts and summaries wait, so that limits hold and a released submission is in a mail or in a summary.
        if (mayRelease) await lockClock(tx);
        const [before] = await tx.locked(
          tx.select(live.submissionColumns).from(submissions).where(live.hasId(id)),
          'update',
        );
        if (!before || isUnconfirmed(before)) return null;
        const isReleased = before.spamReasons !== null && !isSpam && mails !== null;
        const after = { isSpam, isMaybeSpam: false, spamReasons: isReleased ? null : before.spamReasons };
        await tx.update(submissions).set(after).where(live.hasId(id));
        if (before.isSpam !== isSpam || before.isMaybeSpam) await writeSpamMarks(tx, [before], isSpam, now);
        if ((before.isSpam || before.isMaybeSpam) && !isSpam) await queueReleasedDeliveries(tx, deliveries, id, now);
        if (!isSpam) await requeueUnwanted(tx, [id], now);
        if (isReleased && mayRelease) await queueReleasedMails(tx, mails, before, now);
        return { ...before, ...after };
      }),

    /**
     * Confirms a submission and queues its mails and deliveries, once. Returns false if it was confirmed before, has
     * expired, or is in the trash.
     */
    confirm: (id: string, mails: readonly NewMail[], deliveries: readonly NewDelivery[]): Promise<boolean> =>
      db.lockingTransaction(async (tx) => {
        const now = clock();
        await lockClock(tx);
        const [before] = await tx.locked(
          tx.select(live.submissionColumns).from(submissions).where(live.hasId(id)),
          'update',
        );
        if (!before || !isUnconfirmed(before) || before.trashedAt !== null) return false;
        if (before.createdAt <= now - CONFIRM_DAYS * DAY) return false;
        const ofMail = and(eq(outbox.submissionId, id), eq(outbox.kind, 'confirmation'));
        const [mail] = await tx.select({ settledAt: outbox.settledAt }).from(outbox).where(ofMail);
        const confirmMailedAt = mail?.settledAt ?? before.createdAt;
        await tx.update(submissions).set({ confirmMailedAt, confirmedAt: now }).where(live.hasId(id));
        await queueReleasedDeliveries(tx, deliveries, id, now);
        await queueReleasedMails(tx, mails, before, now);
        return true;
      }),
  };
}

/** Queues the mails of a submission that was held back, except notifications that a digest will cover. */
async function queueReleasedMails(tx: Db, mails: readonly NewMail[], held: StoredSubmission, now: Micros) {
  const ofForm = eq(forms.id, held.formId);
  const [form] = await tx.select({ digestedUntil: forms.digestedUntil }).from(forms).where(ofForm);
  const immediate = immediateMails(mails, held.createdAt, form?.digestedUntil ?? null);
  await queueSubmissionMails(tx, immediate, held.formId, held.id, now);
}

/** Returns how many of the first rows have at most `maxBytes` together, but at least one. */
function countFitting(rows: ReadonlyArray<Readonly<{ size: number }>>, maxBytes: number): number {
  let bytes = 0;
  for (const [index, { size }] of rows.entries()) {
    bytes += size;
    if (bytes > maxBytes && index > 0) return index;
  }
  return rows.length;
}
