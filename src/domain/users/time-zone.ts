import type { Micros } from '../../lib/clock.ts';
import { invalidInput } from '../errors.ts';

/** Parses an IANA time zone such as `Europe/Berlin`. Throws `invalid_input` for an unknown zone. */
export function parseTimeZone(text: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text.trim() }).resolvedOptions().timeZone;
  } catch {
    throw invalidInput(
      `Unknown time zone ${JSON.stringify(text)}. Use a name such as Europe/Berlin, America/New_York or UTC.`,
      ['unknown_time_zone'],
    );
  }
}

/** Returns the start of the hour in a time zone; some zones have offsets of half or three quarters of an hour. */
export function startOfHour(at: Micros, timeZone: string): Micros {
  const time = localTime(at, timeZone);
  const { minute: minutes, second: seconds, millisecond: milliseconds } = time;
  return toMicros(time.subtract({ minutes, seconds, milliseconds }));
}

/** Returns the start of the day in a time zone; with daylight saving time, it can be 01:00. */
export const startOfDay = (at: Micros, timeZone: string): Micros => toMicros(localTime(at, timeZone).startOfDay());

const DATE = /^\d{4}-\d\d-\d\d$/;

/** Returns the start of the date `YYYY-MM-DD` plus `daysLater` days in a time zone, or null for an invalid date. */
export function startOfDate(date: string, timeZone: string, daysLater = 0): Micros | null {
  if (!DATE.test(date)) return null;
  try {
    return toMicros(Temporal.PlainDate.from(date).add({ days: daysLater }).toZonedDateTime(timeZone));
  } catch {
    return null;
  }
}

/** Formats a timestamp in a time zone, to the minute: `2026-11-21 08:00`. */
export function formatLocalTime(at: Micros, timeZone: string): string {
  return localTime(at, timeZone).toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ');
}

const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** Returns the time of an input of HTML, `YYYY-MM-DDTHH:MM` in a time zone, in RFC 3339; null for an invalid one. */
export function fromLocalInput(text: string, timeZone: string): string | null {
  if (!LOCAL_TIME.test(text)) return null;
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).toInstant().toString();
  } catch {
    return null;
  }
}

/** Returns a time in RFC 3339 as an input of HTML has it in a time zone. */
export function toLocalInput(time: string, timeZone: string): string {
  return formatLocalTime(Date.parse(time) * 1000, timeZone).replace(' ', 'T');
}

function localTime(at: Micros, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(at / 1000)).toZonedDateTimeISO(timeZone);
}

const toMicros = ({ epochMilliseconds }: Temporal.ZonedDateTime): Micros => epochMilliseconds * 1000;
