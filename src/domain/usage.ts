import type { Micros } from '../lib/clock.ts';

/** A billing period: the calendar month in UTC from `start` up to, not including, `end`. */
export type Period = Readonly<{ start: Micros; end: Micros }>;

/** At how much of a plan's limit its team is warned, in per cent. */
const WARNINGS = [100, 80] as const;

/**
 * The warning that is due when a team has used so much, in per cent of the limit; null for none. Each is due at one number
 * alone, and so once a period.
 */
export function capWarningFor(used: number, limit: number | null): number | null {
  if (limit === null) return null;
  return WARNINGS.find((percent) => used === usageAtPercent(percent, limit)) ?? null;
}

/** How many submissions are so much of a limit. */
export function usageAtPercent(percent: number, limit: number): number {
  return Math.ceil((percent * limit) / 100);
}

/** How many submissions a team had accepted in the month that starts then. */
export type MonthlyUsage = Readonly<{ periodStart: Micros; used: number }>;

/** The month that a moment belongs to. */
export function periodOf(at: Micros): Period {
  const date = new Date(Math.floor(at / 1000));
  const month = (offset: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1) * 1000;
  return { start: month(0), end: month(1) };
}
