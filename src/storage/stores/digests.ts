import { and, asc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import { NO_SUBJECT, NOTIFICATIONS_PER_HOUR, type Summary } from '../../domain/mail/mail.ts';
import { type Clock, DAY, HOUR, type Micros } from '../../lib/clock.ts';
import { countRows, type Db } from '../database.ts';
import type { DigestProgress, SummaryWindow } from '../records.ts';
import { forms } from '../schema.ts';
import { lockClock } from './counters.ts';
import { type Folder, GENUINE, liveQuery, submissionsAt, timesOf } from './live-submissions.ts';
import { type MailDomain, queuePerRecipient } from './outbox.ts';

/**
 * The folders and the condition of the submissions that each kind of summary covers. Submissions that a person flagged were
 * not held back. Forms that hold possible spam don't mention it.
 */
const COVERED: Readonly<Record<Summary['kind'], Readonly<{ folders: readonly Folder[]; condition: SQL }>>> = {
  digest: {
    folders: GENUINE,
    condition: sql`AND (NOT is_maybe_spam OR (SELECT maybe_spam_action FROM forms WHERE key = form_key) <> 'hold')`,
  },
  held_back: { folders: ['spam'], condition: sql`AND spam_reasons IS NOT NULL` },
};

const { id, digest, timeZone, digestedUntil, heldBackUntil, notify } = forms;
const COLUMNS = { id, digest, timeZone, digestedUntil, heldBackUntil };

export function digestStore(db: Db, clock: Clock, mailDomain: MailDomain) {
  return {
    /** Lists a page of all forms by id, after the id `after`. */
    listProgress: async ({ after, limit }: Readonly<{ after: string; limit: number }>): Promise<DigestProgress[]> =>
      db.select(COLUMNS).from(forms).where(gt(forms.id, after)).orderBy(asc(forms.id)).limit(limit),

    // A transaction for each form, because no submission is accepted during one.
    /**
     * Queues digests and spam summaries for the recipients of these forms and returns the number of mails; empty ones are
     * not sent. Every submission is covered exactly once, even after a crash or when the clock goes back. A form that was
     * switched to digests stops notifying for single submissions; one switched back gets the pending digest at once. A
     * form with too many notifications gets a digest at the end of each hour, until that one covers at most
     * `NOTIFICATIONS_PER_HOUR`.
     */
    queue: async (windows: readonly SummaryWindow[]): Promise<number> => {
      let mails = 0;
      for (const window of windows) {
        mails += await db.lockingTransaction((tx) => queueFormSummaries(tx, window, clock, mailDomain));
      }
      return mails;
    },

    /** Counts the submissions that a summary currently covers, up to `max`. */
    countSubmissions: (summary: Summary, max: number): Promise<number> => countCovered(db, summary, max),

    /** Lists a page of the submissions that a summary covers, created after `after`, oldest first. */
    listSubmissions: async (summary: Summary, { after, limit }: Readonly<{ after: Micros; limit: number }>) =>
      submissionsAt(db, await timesOf(db, coveredTimes(db, summary, after, limit)), 'ASC'),
  };
}

/** Returns the query for the creation times of the submissions that a summary covers, after `after`, oldest first. */
function coveredTimes(db: Db, { kind, formId, coversFrom, coversUntil }: Summary, after: Micros, limit: number): SQL {
  const { folders, condition } = COVERED[kind];
  const span = { form: formId, above: Math.max(coversFrom - 1, after), below: coversUntil, limit };
  return liveQuery(db, folders, 'ASC', span, undefined, condition);
}

function countCovered(tx: Db, summary: Summary, max: number): Promise<number> {
  return countRows(tx, coveredTimes(tx, summary, Number.MIN_SAFE_INTEGER, max));
}

/** Queues the due summaries of a form and moves its progress. Returns the number of mails. */
async function queueFormSummaries(
  tx: Db,
  { formId, digestUntil, heldBackUntil: heldBackEnd }: SummaryWindow,
  clock: Clock,
  mailDomain: MailDomain,
): Promise<number> {
  const afterLast = (await lockClock(tx)) + 1;
  const isLive = and(eq(forms.id, formId), isNull(forms.trashedAt));
  const [form] = await tx.select({ digest, digestedUntil, heldBackUntil, notify }).from(forms).where(isLive);
  if (!form) return 0;
  let mails = 0;
  /** Queues a summary unless it is empty, and returns its end. */
  const queueSummary = async (kind: Summary['kind'], coversFrom: Micros, coversUntil: Micros): Promise<Micros> => {
    const summary = { ...NO_SUBJECT, kind, formId, coversFrom, coversUntil };
    if ((await countCovered(tx, summary, 1)) > 0) {
      mails += await queuePerRecipient(tx, mailDomain, summary, form.notify, clock());
    }
    return coversUntil;
  };

  const progress = { digestedUntil: form.digestedUntil, heldBackUntil: form.heldBackUntil };
  if (form.digestedUntil === null) {
    if (form.digest !== null) progress.digestedUntil = Math.max(afterLast, clock());
  } else if (form.digest === null && !(await isCrowded(tx, formId, form.digestedUntil, digestUntil))) {
    await queueSummary('digest', form.digestedUntil, afterLast);
    progress.digestedUntil = null;
  } else if (digestUntil > form.digestedUntil) {
    progress.digestedUntil = await queueSummary('digest', form.digestedUntil, digestUntil);
  }
  const heldBackFrom = form.heldBackUntil ?? heldBackEnd - DAY;
  if (heldBackEnd > heldBackFrom) progress.heldBackUntil = await queueSummary('held_back', heldBackFrom, heldBackEnd);
  await tx.update(forms).set(progress).where(eq(forms.id, formId));
  return mails;
}

/** Returns true if the form received too many submissions for single notifications in the last hour or in this one. */
async function isCrowded(tx: Db, formId: string, digestedUntil: Micros, hourStart: Micros): Promise<boolean> {
  const isHourOver = hourStart > digestedUntil;
  const coversFrom = isHourOver ? digestedUntil : digestedUntil - HOUR;
  const coversUntil = isHourOver ? hourStart : digestedUntil + HOUR;
  const hour = { ...NO_SUBJECT, kind: 'digest', formId, coversFrom, coversUntil } as const;
  return (await countCovered(tx, hour, NOTIFICATIONS_PER_HOUR + 1)) > NOTIFICATIONS_PER_HOUR;
}
