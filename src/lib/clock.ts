/** A timestamp or duration in whole microseconds since 1970-01-01T00:00:00Z; exact in a double until the year 2255. */
export type Micros = number;

/** Source of the current time; tests inject their own. */
export type Clock = () => Micros;

/** The system clock, with a resolution of one millisecond. */
export const systemClock: Clock = () => Date.now() * 1000;

/** Time since the process started. It never goes backward: use it for durations, not for dates. */
export const monotonicClock: Clock = () => Math.floor(performance.now() * 1000);

export const SECOND: Micros = 1_000_000;
export const MINUTE: Micros = 60 * SECOND;
export const HOUR: Micros = 60 * MINUTE;
export const DAY: Micros = 24 * HOUR;

/** Formats a timestamp as RFC 3339 in UTC with six decimals: `2026-11-21T08:00:00.000123Z`. */
export function formatTime(at: Micros): string {
  const millis = Math.floor(at / 1000);
  const micros = at - millis * 1000;
  return `${new Date(millis).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+\- ])(\d\d):(\d\d))$/;

/**
 * Parses an RFC 3339 timestamp with any offset; returns null for other text and for impossible dates. Decimals beyond
 * microseconds round up, so that a "before" filter doesn't drop matching rows. A space is accepted for the `+` of an
 * offset, because an unescaped `+` in a query string decodes to a space.
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
