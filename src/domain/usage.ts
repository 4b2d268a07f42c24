import type { Micros } from '../lib/clock.ts';

/** A billing period: a calendar month in UTC. `end` is exclusive. */
export type Period = Readonly<{ start: Micros; end: Micros }>;

/** Usage in percent of the plan limit at which the team is warned. */
const WARNING_PERCENTAGES = [100, 80] as const;

/** Returns the warning, in percent, that is due at exactly this usage, or null. Each is thus due once per period. */
export function capWarningFor(used: number, limit: number | null): number | null {
  if (limit === null) return null;
  return WARNING_PERCENTAGES.find((percent) => used === usageAtPercent(percent, limit)) ?? null;
}

/** Returns the number of submissions that is `percent` of the limit, rounded up. */
export const usageAtPercent = (percent: number, limit: number): number => Math.ceil((percent * limit) / 100);

/** Number of submissions accepted in the month that starts at `periodStart`. */
export type MonthlyUsage = Readonly<{ periodStart: Micros; used: number }>;

/** Returns the billing period that contains `at`. */
export function getPeriod(at: Micros): Period {
  const date = new Date(Math.floor(at / 1000));
  const month = (offset: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1) * 1000;
  return { start: month(0), end: month(1) };
}
