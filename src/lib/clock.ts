/** A point in time: whole microseconds since 1970-01-01T00:00:00Z. Fits a double exactly until the year 2255. */
export type Micros = number;

/** Where the present comes from; tests pass their own. */
export type Clock = () => Micros;

/** The machine's clock. Its resolution is one millisecond. */
export const systemClock: Clock = () => Date.now() * 1000;

/** Time since the process began, which no one can set back: for measuring spans, not for dates. */
export const monotonicClock: Clock = () => Math.floor(performance.now() * 1000);

export const SECOND: Micros = 1_000_000;
export const MINUTE: Micros = 60 * SECOND;
export const HOUR: Micros = 60 * MINUTE;
export const DAY: Micros = 24 * HOUR;

/** RFC 3339 in UTC with six decimals: `2026-11-21T08:00:00.000123Z`. */
export function formatTime(at: Micros): string {
  const millis = Math.floor(at / 1000);
  const micros = at - millis * 1000;
  return `${new Date(millis).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+\- ])(\d\d):(\d\d))$/;

/**
 * Reads any RFC 3339 timestamp, whatever its offset. Decimals beyond microseconds round up, so that "before this" keeps
 * the rows that are. A space is taken for the `+` of an offset, which is what an unescaped `+` in a query becomes.
 * Returns null for anything else, impossible dates included.
 */
export function parseTime(text: string): Micros | null {
  const match = RFC3339.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  const offset = (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute)) * MINUTE;
  const micros = Number(fraction.slice(0, 6).padEnd(6, '0')) + (/[1-9]/.test(fraction.slice(6)) ? 1 : 0);
  return date.getTime() * 1000 - offset + micros;
}
