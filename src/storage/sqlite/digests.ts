import { and, asc, eq, gt, isNull } from 'drizzle-orm';
import { NO_SUBJECT, NOTIFICATIONS_PER_HOUR, type Summary } from '../../domain/mail.ts';
import { type Clock, DAY, HOUR, type Micros } from '../../lib/clock.ts';
import type { SummaryWindow } from '../store.ts';
import type { Drizzle } from './database.ts';
import { GENUINE, liveQuery, type Span, submissionsAt } from './live-submissions.ts';
import { perRecipientMailWriter } from './outbox.ts';
import { forms } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

/**
 * The submissions that each kind of summary covers. Submissions that a person flagged were not held back. Forms that
 * hold possible spam don't mention it.
 */
const COVERED = {
  digest: liveQuery(
    GENUINE,
    'ASC',
    'created_at',
    "AND (is_maybe_spam = 0 OR (SELECT maybe_spam_action FROM forms WHERE id = form_id) <> 'hold')",
  ),
  held_back: liveQuery(['spam'], 'ASC', 'created_at', 'AND spam_reasons IS NOT NULL'),
} as const;

/** Creates the store methods for digests and spam summaries. */
export function digestStore(db: Drizzle, clock: Clock, mailDomain: string | null) {
  const queueMails = perRecipientMailWriter(db, mailDomain);
  const lastCreatedAt = db.$client.query<{ seq: Micros }, []>(
    "SELECT seq FROM sqlite_sequence WHERE name = 'submissions'",
  );
  const columns = {
    id: forms.id,
    digest: forms.digest,
    timeZone: forms.timeZone,
    digestedUntil: forms.digestedUntil,
    heldBackUntil: forms.heldBackUntil,
  };

  const timesOf = (kind: Summary['kind']) => db.$client.query<{ created_at: Micros }, Span>(COVERED[kind]);
  const countOf = (kind: Summary['kind']) =>
    db.$client.query<{ total: number }, Span>(`SELECT count(*) AS total FROM (${COVERED[kind]})`);
  const times = { digest: timesOf('digest'), held_back: timesOf('held_back') };
  const counts = { digest: countOf('digest'), held_back: countOf('held_back') };
  const readAt = submissionsAt(db, 'ASC');

  const countCovered = ({ kind, formId, coversFrom, coversUntil }: Summary, max: number): number =>
    counts[kind].get(formId, coversFrom - 1, coversUntil, max)?.total ?? 0;

  /** Returns true if the form received too many submissions for single notifications in the last hour or in this one. */
  const isCrowded = (formId: string, digestedUntil: Micros, hourStart: Micros): boolean => {
    const isHourOver = hourStart > digestedUntil;
    const coversFrom = isHourOver ? digestedUntil : digestedUntil - HOUR;
    const coversUntil = isHourOver ? hourStart : digestedUntil + HOUR;
    const hour = { ...NO_SUBJECT, kind: 'digest', formId, coversFrom, coversUntil } as const;
    return countCovered(hour, NOTIFICATIONS_PER_HOUR + 1) > NOTIFICATIONS_PER_HOUR;
  };

  const queueFormSummaries = ({ formId, digestUntil, heldBackUntil }: SummaryWindow): number => {
    const form = db
      .select({ ...columns, notify: forms.notify })
      .from(forms)
      .where(and(eq(forms.id, formId), isNull(forms.trashedAt)))
      .get();
    if (!form) return 0;
    let mails = 0;
    /** Queues a summary unless it is empty, and returns its end. */
    const queueSummary = (kind: Summary['kind'], coversFrom: Micros, coversUntil: Micros): Micros => {
      const summary = { ...NO_SUBJECT, kind, formId, coversFrom, coversUntil };
      if (countCovered(summary, 1) > 0) mails += queueMails(summary, form.notify, clock());
      return coversUntil;
    };

    const progress = { digestedUntil: form.digestedUntil, heldBackUntil: form.heldBackUntil };
    const afterLast = (lastCreatedAt.get()?.seq ?? 0) + 1;
    if (form.digestedUntil === null) {
      if (form.digest !== null) progress.digestedUntil = Math.max(afterLast, clock());
    } else if (form.digest === null && !isCrowded(formId, form.digestedUntil, digestUntil)) {
      queueSummary('digest', form.digestedUntil, afterLast);
      progress.digestedUntil = null;
    } else if (digestUntil > form.digestedUntil) {
      progress.digestedUntil = queueSummary('digest', form.digestedUntil, digestUntil);
    }
    const heldBackFrom = form.heldBackUntil ?? heldBackUntil - DAY;
    if (heldBackUntil > heldBackFrom) progress.heldBackUntil = queueSummary('held_back', heldBackFrom, heldBackUntil);
    db.update(forms).set(progress).where(eq(forms.id, formId)).run();
    return mails;
  };

  return {
    listDigestProgress: ({ after, limit }) =>
      db.select(columns).from(forms).where(gt(forms.id, after)).orderBy(asc(forms.id)).limit(limit).all(),

    queueDigests: (windows) =>
      transaction(db, () => windows.reduce((mails, window) => mails + queueFormSummaries(window), 0)),

    countSummarySubmissions: countCovered,

    listSummarySubmissions: ({ kind, formId, coversFrom, coversUntil }, { after, limit }) => {
      const rows = times[kind].all(formId, Math.max(coversFrom - 1, after), coversUntil, limit);
      return readAt(rows.map(({ created_at }) => created_at));
    },
  } satisfies Partial<StoreUnits>;
}
