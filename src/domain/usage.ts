import type { Micros } from '../lib/clock.ts';

/** A billing period: the calendar month in UTC from `start` up to, not including, `end`. */
export type Period = Readonly<{ start: Micros; end: Micros }>;

/** The month that a moment belongs to. */
export function periodOf(at: Micros): Period {
  const date = new Date(Math.floor(at / 1000));
  const month = (offset: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1) * 1000;
  return { start: month(0), end: month(1) };
}
