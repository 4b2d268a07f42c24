import Negotiator from 'negotiator';

/** The texts of one surface (dashboard, visitor pages or mails) by language; the first language is the default. */
export type Catalog<Language extends string, Texts> = Readonly<{
  languages: readonly Language[];
  textsIn: (language: Language) => Texts;
  /** Returns the language a user has chosen, or null if it is unset or not supported. */
  find: (language: string | null | undefined) => Language | null;
  /** Returns the language that Accept-Language prefers (RFC 9110, section 12.5.4), or the default. */
  negotiate: (acceptLanguage: string | null) => Language;
}>;

/** Longer headers are cut before they are parsed: parsing takes up to a microsecond per character. */
const MAX_HEADER_LENGTH = 500;
const MAX_CACHED = 500;

/** Creates a catalog. All languages must have the same texts, which the type of the first one declares. */
export function createCatalog<Language extends string, Texts>(
  defaultLanguage: NoInfer<Language>,
  texts: Readonly<Record<Language, Texts>>,
): Catalog<Language, Texts> {
  const languages = Object.keys(texts) as Language[];
  const find = (code: string | null | undefined) => languages.find((language) => language === code) ?? null;
  const negotiate = cached((header) => find(negotiator(header).language([...languages])) ?? defaultLanguage);
  return {
    languages,
    textsIn: (language) => texts[language],
    find,
    negotiate: (header) => (header === null ? defaultLanguage : negotiate(header.slice(0, MAX_HEADER_LENGTH))),
  };
}

/** Returns the client's region of a language, such as en-GB for en, or the language itself: date formats differ. */
export function localeFor(acceptLanguage: string | null, language: string): string {
  const tags = languageTags((acceptLanguage ?? '').slice(0, MAX_HEADER_LENGTH));
  const tag = tags.find((tag) => tag === language || tag.startsWith(`${language}-`)) ?? language;
  const isWellFormed = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(tag);
  return Intl.DateTimeFormat.supportedLocalesOf(isWellFormed ? tag : language)[0] ?? language;
}

export const formatNumber = (locale: string, value: number): string => numberFormat(locale).format(value);

/** Formats a share from 0 to 1 in whole percent. */
export const formatPercent = (locale: string, share: number): string => percentFormat(locale).format(share);

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Formats a size in the largest unit below it. `base` is 1000, or 1024 for limits that are powers of two. */
export function formatSize(locale: string, bytes: number, base: 1000 | 1024 = 1000): string {
  const power = UNITS.findLastIndex((_, index) => index === 0 || bytes >= base ** index);
  return unitFormat(`${locale} ${UNITS[power]}`).format(bytes / base ** power);
}

/** Formats a wait in seconds, or in minutes above two. */
export function formatWait(locale: string, seconds: number): string {
  const [unit, value] = seconds > 120 ? ['minute', Math.ceil(seconds / 60)] : ['second', seconds];
  return unitFormat(`${locale} ${unit}`).format(value);
}

/** Formats a time as day and time in a time zone. The zone is named if it is UTC. */
export function formatMoment(locale: string, timeZone: string, at: Date | number): string {
  const format = timeZone === 'UTC' ? namedMomentFormat : momentFormat;
  return format(locale, timeZone).format(at);
}

export function formatDay(locale: string, timeZone: string, at: Date | number): string {
  return dayFormat(locale, timeZone).format(at);
}

/** Formats a day such as `2020-03-04` in words. */
export function formatDate(locale: string, day: string): string {
  return longDayFormat(locale, 'UTC').format(Date.parse(`${day}T00:00:00Z`));
}

/** Formats a time as short as it stays clear: the time of today, else the day, with its year if it is another. */
export function formatShort(locale: string, timeZone: string, at: number, now: number): string {
  const day = isoDayFormat(timeZone).format(at);
  const today = isoDayAt(`${timeZone} ${now}`);
  if (day === today) return timeFormat(locale, timeZone).format(at);
  const format = day.slice(0, 4) === today.slice(0, 4) ? dayOfYearFormat : dayFormat;
  return format(locale, timeZone).format(at);
}

/** Formats the day in a time zone without its year. */
export function formatDayOfYear(locale: string, timeZone: string, at: number): string {
  return dayOfYearFormat(locale, timeZone).format(at);
}

/** Formats how long ago a time was, such as `2 hr. ago`, in minutes, hours or days. */
export function formatAgo(locale: string, at: number, now: number): string {
  const minutes = Math.max(0, Math.floor((now - at) / 60_000));
  if (minutes === 0) return locale.startsWith('de') ? 'gerade eben' : 'just now';
  if (minutes < 60) return agoFormat(locale).format(-minutes, 'minute');
  if (minutes < 48 * 60) return agoFormat(locale).format(-Math.floor(minutes / 60), 'hour');
  return agoFormat(locale).format(-Math.floor(minutes / 1440), 'day');
}

/** Formats the month of a time in UTC. */
export const formatMonth = (locale: string, at: Date | number): string => monthFormat(locale, 'UTC').format(at);

const languageTags = cached((header) => negotiator(header).languages());

const numberFormat = cached((locale) => new Intl.NumberFormat(locale));

const agoFormat = cached((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }));

const percentFormat = cached((locale) => new Intl.NumberFormat(locale, { style: 'percent' }));

const unitFormat = cached((key) => {
  const [locale, unit = ''] = key.split(' ');
  const unitDisplay = ['byte', 'second', 'minute'].includes(unit) ? 'long' : 'short';
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 });
});

const MOMENT = { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
const momentFormat = dateFormat(MOMENT);
const namedMomentFormat = dateFormat({ ...MOMENT, timeZoneName: 'short' });
const dayFormat = dateFormat({ year: 'numeric', month: 'short', day: 'numeric' });
const longDayFormat = dateFormat({ dateStyle: 'long' });
const timeFormat = dateFormat({ timeStyle: 'short' });
const dayOfYearFormat = dateFormat({ month: 'short', day: 'numeric' });
const monthFormat = dateFormat({ year: 'numeric', month: 'long' });

/** Formats days as 2026-11-21. */
const isoDayFormat = cached((timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }));

const isoDayAt = cached((key) => {
  const [timeZone = 'UTC', time] = key.split(' ');
  return isoDayFormat(timeZone).format(Number(time));
});

/** Returns a function that returns the format for a locale and a time zone. */
function dateFormat(options: Intl.DateTimeFormatOptions) {
  const format = cached((key) => {
    const [locale, timeZone] = key.split(' ');
    const format = new Intl.DateTimeFormat(locale, { timeZone, ...options });
    // A leading zero belongs to the 24-hour clock.
    if (!options.hour || !format.resolvedOptions().hour12) return format;
    return new Intl.DateTimeFormat(locale, { timeZone, ...options, hour: 'numeric' });
  });
  return (locale: string, timeZone: string) => format(`${locale} ${timeZone}`);
}

function negotiator(acceptLanguage: string): Negotiator {
  return new Negotiator({ headers: { 'accept-language': acceptLanguage } });
}

/** Caches the latest results of a function: creating a format takes a thousand times as long as using it. */
function cached<Result>(compute: (key: string) => Result): (key: string) => Result {
  const results = new Map<string, Result>();
  return (key) => {
    const hit = results.get(key);
    if (hit !== undefined) return hit;
    if (results.size >= MAX_CACHED) results.clear();
    const result = compute(key);
    results.set(key, result);
    return result;
  };
}
