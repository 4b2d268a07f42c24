import { DAY, type Micros } from '../../lib/clock.ts';

/** Reasons why a watched page counts as failing: it can't be fetched, or neither names the form nor loads the script. */
export type PageProblem = 'unreachable' | 'no_form';

/** Results of the checks of a form: see the columns of `form_checks`. */
export type FormCheck = Readonly<{
  pageCheckedAt: Micros | null;
  pageSeenAt: Micros | null;
  pageFailures: number;
  pageProblem: PageProblem | null;
  closedUntil: Micros | null;
  silentAt: Micros | null;
  limitedAt: Micros | null;
  unsentAt: Micros | null;
}>;

/** A watched page is failing after this number of failed checks in a row. */
export const PAGE_FAILURES = 2;

/** Days whose counts decide about silence. */
export const SILENCE_DAYS = 400;

const WEEKS = 4;
const WEEKLY = 5;
const MIN_SILENT_DAYS = 7;

/**
 * Returns the days without a submission after which a form counts as silent: twice its longest pause, at least seven.
 * Null for a form without five submissions in each of the last four weeks. `days` are the submissions of each day, that
 * of the last submission at the end.
 */
export function silentAfter(days: readonly number[]): number | null {
  for (let week = 0; week < WEEKS; week++) {
    const counts = days.slice(days.length - 7 * (week + 1), days.length - 7 * week);
    if (counts.length < 7 || counts.reduce((sum, count) => sum + count, 0) < WEEKLY) return null;
  }
  const active = days.flatMap((count, day) => (count > 0 ? [day] : []));
  const pauses = active.slice(1).map((day, index) => day - (active[index] ?? day));
  return Math.max(MIN_SILENT_DAYS, 2 * Math.max(...pauses));
}

/** Returns whether a check of a watched page is due. One of the future is from before the clock went back. */
export function isPageDue({ pageCheckedAt }: FormCheck, now: Micros): boolean {
  return pageCheckedAt === null || pageCheckedAt > now || pageCheckedAt <= now - DAY;
}
