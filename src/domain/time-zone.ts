import { DAY, HOUR, MINUTE, type Micros, SECOND } from '../lib/clock.ts';
import { AppError } from './errors.ts';

/**
 * Parses an IANA time zone such as `Europe/Berlin`. Throws `invalid_input` for a zone that the runtime doesn't know.
 */
export function parseTimeZone(text: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text.trim() }).resolvedOptions().timeZone;
  } catch {
    throw new AppError(
      'invalid_input',
      `Unknown time zone ${JSON.stringify(text)}. Use a name such as Europe/Berlin, America/New_York or UTC.`,
      { reason: ['unknown_time_zone'] },
    );
  }
}

/** Returns the start of the hour in a time zone; some zones have offsets of half or three quarters of an hour. */
export function startOfHour(at: Micros, timeZone: string): Micros {
  const [minutes = 0, seconds = 0] = readClock(at, timeZone).time.split(':').slice(1).map(Number);
  return Math.floor(at / SECOND) * SECOND - minutes * MINUTE - seconds * SECOND;
}

/**
 * Returns the start of the day in a time zone. With daylight saving time, days have 23 or 25 hours or start at 01:00.
 */
export function startOfDay(at: Micros, timeZone: string): Micros {
  const today = readClock(at, timeZone).date;
  let before = Math.floor(at / SECOND) - (DAY + 2 * HOUR) / SECOND;
  let within = Math.floor(at / SECOND);
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (readClock(middle * SECOND, timeZone).date === today) within = middle;
    else before = middle;
  }
  return within * SECOND;
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;

/** Returns the start of the date `YYYY-MM-DD` plus `daysLater` days in a time zone, or null for an invalid date. */
export function startOfDate(date: string, timeZone: string, daysLater = 0): Micros | null {
  const [, year, month, day] = DATE.exec(date) ?? [];
  const parsed = new Date(`${date}T00:00Z`);
  if (day === undefined || Number.isNaN(parsed.getTime()) || parsed.getUTCDate() !== Number(day)) return null;
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day) + daysLater) * 1000;
  const target = new Date(midnight / 1000).toISOString().slice(0, 10);
  // No offset from UTC is larger.
  let before = (midnight - 15 * HOUR) / SECOND;
  let within = (midnight + 15 * HOUR) / SECOND;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (readClock(middle * SECOND, timeZone).date >= target) within = middle;
    else before = middle;
  }
  return within * SECOND;
}

/** Formats a timestamp in a time zone, to the minute: `2026-11-21 08:00`. */
export function formatLocalTime(at: Micros, timeZone: string): string {
  const { date, time } = readClock(at, timeZone);
  return `${date} ${time.slice(0, 5)}`;
}

function readClock(at: Micros, timeZone: string): Readonly<{ date: string; time: string }> {
  const [date = '', time = ''] = formatterOf(timeZone)
    .format(at / 1000)
    .split(', ');
  return { date, time };
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns the cached formatter of a zone: creating one takes a thousand times as long as using it. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const cached = formatters.get(timeZone);
  if (cached) return cached;
  const two = '2-digit';
  const format = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const;
  const formatter = new Intl.DateTimeFormat('en-CA', { ...format, hourCycle: 'h23', timeZone });
  formatters.set(timeZone, formatter);
  return formatter;
}
