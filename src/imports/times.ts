import { DAY, HOUR, MINUTE, type Micros, SECOND } from '../lib/clock.ts';

export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;

/** The order of day, month and year in a date of numbers. */
export type DateOrder = (typeof DATE_ORDERS)[number];

/** Rules for times that leave something open; null for unknown. */
export type TimeRules = Readonly<{ timeZone: string | null; dateOrder: DateOrder | null }>;

type Zone = Readonly<{ offset: Micros }> | Readonly<{ abbreviation: string }> | null;

/** A date as written. `order` is null if day and month could be exchanged. */
type WrittenDate = Readonly<{
  numbers: readonly [number, number, number];
  order: DateOrder | null;
  hasShortYear: boolean;
}>;

/** A time as written, before its open points are decided. */
export type WrittenTime = Readonly<{ instant: Micros }> | Readonly<{ date: WrittenDate; clock: Micros; zone: Zone }>;

/**
 * A time in UTC. `isRepeated` is true for an hour that occurs twice at the end of daylight saving time, and
 * `isOffSeason` for an abbreviation of the other season, such as CET in July.
 */
export type ReadTime = Readonly<{ at: Micros; isRepeated: boolean; isOffSeason: boolean }>;

/** Something that a time leaves open. */
export type OpenPoint = 'time zone' | 'date order';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_NAME =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const WEEKDAY = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?,?\\s+)?';
const DAY_NUMBER = '(\\d{1,2})(?:st|nd|rd|th)?';

const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/;
const NUMBERS = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/;
const DAY_FIRST = new RegExp(`^${WEEKDAY}${DAY_NUMBER}[\\s-]+${MONTH_NAME}\\.?,?[\\s-]+(\\d{4})(?!\\d)`, 'i');
const MONTH_FIRST = new RegExp(`^${WEEKDAY}${MONTH_NAME}\\.?\\s+${DAY_NUMBER},?\\s+(\\d{4})(?!\\d)`, 'i');
const CLOCK = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s*([ap])\.?m\.?(?![a-z]))?/i;
const OFFSET = /^(?:UTC|GMT)?([+\-−])(\d{1,2})(?::?(\d{2}))?$/i;
/** Unix time in seconds or milliseconds, from 2001 to 2286. */
const EPOCH = /^\d{10}(?:\d{3})?$/;

/** Reads a time without deciding anything. Returns null for text that is not a time. */
export function readTime(value: string): WrittenTime | null {
  const text = value.trim().replace(/[\u00a0\u202f]/g, ' ');
  if (EPOCH.test(text)) return { instant: Number(text) * (text.length === 10 ? SECOND : 1_000) };
  const parsed = readDate(text);
  if (!parsed) return null;
  // JavaScript writes the name of the zone in parentheses after its offset.
  const rest = parsed.rest.replace(/\s+\([^()]*\)$/, '');
  if (rest === '') return { date: parsed.date, clock: 0, zone: null };
  const separator = /^(?:T|,?\s+(?:at\s+)?)/i.exec(rest);
  if (!separator) return null;
  const clockAndZone = rest.slice(separator[0].length);
  const match = CLOCK.exec(clockAndZone);
  const clock = match && getClock(match);
  if (!match || clock === null) return null;
  const zone = readZone(clockAndZone.slice(match[0].length).trim());
  return zone === undefined ? null : { date: parsed.date, clock, zone };
}

function readDate(text: string): Readonly<{ date: WrittenDate; rest: string }> | null {
  const toResult = (match: RegExpExecArray, numbers: WrittenDate['numbers'], order: DateOrder | null) => ({
    date: { numbers, order, hasShortYear: order === null && (match[4] ?? '').length === 2 },
    rest: text.slice(match[0].length),
  });
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst) return toResult(yearFirst, [Number(yearFirst[1]), Number(yearFirst[3]), Number(yearFirst[4])], 'ymd');
  const numbers = NUMBERS.exec(text);
  if (numbers) return toResult(numbers, [Number(numbers[1]), Number(numbers[3]), Number(numbers[4])], null);
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst) return toResult(dayFirst, [Number(dayFirst[3]), getMonth(dayFirst[2]), Number(dayFirst[1])], 'ymd');
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst)
    return toResult(monthFirst, [Number(monthFirst[3]), getMonth(monthFirst[1]), Number(monthFirst[2])], 'ymd');
  return null;
}

const getMonth = (name = ''): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

/** Returns the time since midnight; null if there is no such time of day. */
function getClock([, hours, minutes, seconds = '0', fraction = '', half]: RegExpExecArray): Micros | null {
  const isTwelveHours = half !== undefined;
  let hour = Number(hours);
  if (isTwelveHours ? hour < 1 || hour > 12 : hour > 23) return null;
  if (Number(minutes) > 59 || Number(seconds) > 59) return null;
  if (isTwelveHours) hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const micros = Number(fraction.slice(0, 6).padEnd(6, '0'));
  return hour * HOUR + Number(minutes) * MINUTE + Number(seconds) * SECOND + micros;
}

/** Returns null for no zone, and undefined for text that is none. */
function readZone(text: string): Zone | undefined {
  if (text === '') return null;
  if (/^(?:Z|UTC|GMT)$/i.test(text)) return { offset: 0 };
  const match = OFFSET.exec(text);
  if (match) {
    const [, sign, hours, minutes = '0'] = match;
    if (Number(hours) > 14 || Number(minutes) > 59) return undefined;
    const size = Number(hours) * HOUR + Number(minutes) * MINUTE;
    return { offset: sign === '+' ? size : -size };
  }
  return /^[A-Z]{2,5}$/i.test(text) ? { abbreviation: text.toUpperCase() } : undefined;
}

/** Returns the order that a date proves: the number of its day is greater than 12. */
export function provenOrder(written: WrittenTime): DateOrder | null {
  if (!('date' in written) || written.date.order !== null || written.date.hasShortYear) return null;
  const [first, second] = written.date.numbers;
  if (first > 12) return 'dmy';
  return second > 12 ? 'mdy' : null;
}

/** Returns the points of a time that `rules` leave open. A year of two digits requires an explicit order. */
export function openPoints(written: WrittenTime, { timeZone, dateOrder }: TimeRules): readonly OpenPoint[] {
  if (!('date' in written)) return [];
  const isFixed = written.zone !== null && 'offset' in written.zone;
  return [
    ...(written.date.order === null && dateOrder === null ? (['date order'] as const) : []),
    ...(!isFixed && timeZone === null ? (['time zone'] as const) : []),
  ];
}

/**
 * Decides a time by `rules`, which must leave nothing open. A time that occurs twice is the first one. Returns a
 * fault for a date or a local time that does not exist.
 */
export function decideTime(written: WrittenTime, { timeZone, dateOrder }: TimeRules): ReadTime | string {
  const plain = { isRepeated: false, isOffSeason: false };
  if (!('date' in written)) return { at: written.instant, ...plain };
  const local = localTime(written, dateOrder);
  if (typeof local === 'string') return local;
  const { zone } = written;
  if (zone && 'offset' in zone) return { at: local - zone.offset, ...plain };
  if (timeZone === 'UTC' && !zone) return { at: local, ...plain };
  const times = timesAt(local, timeZone ?? 'UTC');
  const hasName = (at: Micros) => !zone || abbreviationsAt(at, timeZone ?? 'UTC').has(zone.abbreviation);
  const named = times.filter(hasName);
  if (times.length === 0) return `does not exist in ${timeZone}, where clocks were set forward`;
  const isOffSeason = named.length === 0;
  // Google Forms writes the abbreviation of one season all year. The clock is right.
  if (isOffSeason && !OTHER_SEASONS.some((days) => hasName(local + days * DAY))) {
    return `has a zone other than ${timeZone}`;
  }
  const [first = local, ...rest] = isOffSeason ? times : named;
  return { at: first, isRepeated: rest.length > 0, isOffSeason };
}

/** Days from a time to one of another season. Summer time is in force for five to eight months. */
const OTHER_SEASONS = [-183, -122, 122, 183];

/** Returns the local time as if it were UTC, or a fault. */
function localTime({ date, clock }: Extract<WrittenTime, { date: unknown }>, dateOrder: DateOrder | null) {
  const [first, second, third] = date.numbers;
  const order = date.order ?? dateOrder;
  const [written, month, day] =
    order === 'ymd' ? [first, second, third] : order === 'dmy' ? [third, second, first] : [third, first, second];
  if (order === 'ymd' && date.order === null && !date.hasShortYear) return 'has its year at the end';
  const year = date.hasShortYear ? 2000 + written : written;
  const at = Date.UTC(year, month - 1, day);
  const real = new Date(at);
  if (real.getUTCMonth() !== month - 1 || real.getUTCDate() !== day) return 'is no date of the calendar';
  return at * 1_000 + clock;
}

/** Returns the moments at which clocks in a zone show a local time: none, one, or two in order. */
function timesAt(local: Micros, timeZone: string): Micros[] {
  const offsets = [offsetAt(local - DAY, timeZone), offsetAt(local + DAY, timeZone)];
  const times = new Set(offsets.map((offset) => local - offset).filter((at) => at + offsetAt(at, timeZone) === local));
  return [...times].sort((a, b) => a - b);
}

function offsetAt(at: Micros, timeZone: string): Micros {
  const instant = Temporal.Instant.fromEpochMilliseconds(Math.floor(at / 1_000));
  return instant.toZonedDateTimeISO(timeZone).offsetNanoseconds / 1_000;
}

/** Locales whose names for zones appear in exports. */
const LOCALES = ['en-US', 'en-GB', 'en-AU', 'en-IN'];
const formats = new Map<string, readonly Intl.DateTimeFormat[]>();

/** Returns the abbreviations of a zone at a moment, such as EST. */
function abbreviationsAt(at: Micros, timeZone: string): ReadonlySet<string> {
  const ofZone = formats.getOrInsertComputed(timeZone, () =>
    LOCALES.map((locale) => new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' })),
  );
  const names = ofZone.map((format) =>
    format.formatToParts(Math.floor(at / 1_000)).find(({ type }) => type === 'timeZoneName'),
  );
  return new Set(names.map((part) => part?.value.toUpperCase() ?? ''));
}
