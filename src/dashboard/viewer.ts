import Negotiator from 'negotiator';
import { type Access, hasPermission } from '../domain/roles.ts';
import type { Membership, User } from '../domain/user.ts';
import type { Micros } from '../lib/clock.ts';
import { LANGUAGES, type Language, TEXTS, type Texts } from './i18n/index.ts';

/** Language, time zone, teams and access of the person viewing the page. */
export type Viewer = Readonly<{
  language: Language;
  texts: Texts;
  timeZone: string;
  /** The current team with the viewer's role; null without a session or a team. */
  membership: Membership | null;
  /** All teams of the viewer, oldest first. */
  memberships: readonly Membership[];
  /** Returns true if the viewer's role gives access. Without a team only `self` is allowed. */
  can: (access: Access) => boolean;
  /** Returns day and time; `<Time>` shows them. */
  formatTime: (at: Micros) => string;
  /** Returns the day; `<Day>` shows it. */
  formatDay: (at: Micros) => string;
  /** A month in UTC, as plans count them. */
  month: (at: Micros) => string;
  number: (value: number) => string;
  /** A size in bytes, in a unit that fits. */
  size: (bytes: number) => string;
}>;

/** The viewer's teams, and the current one. */
export type Memberships = Pick<Viewer, 'membership' | 'memberships'>;

export const NO_MEMBERSHIPS: Memberships = { membership: null, memberships: [] };

/** Returns the viewer: settings of the user, else of the browser. Times are in UTC until a time zone is known. */
export function viewerOf(
  request: Request,
  user: User | null,
  { membership, memberships }: Memberships = NO_MEMBERSHIPS,
): Viewer {
  const language = LANGUAGES.find((known) => known === user?.language) ?? preferredLanguage(request);
  const locale = localeOf(request, language);
  const timeZone = user?.timeZone ?? 'UTC';
  const moment = formatOf(`${locale} ${timeZone} moment`, () => {
    const zoneName = timeZone === 'UTC' ? ({ timeZoneName: 'short' } as const) : {};
    const parts = { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
    return new Intl.DateTimeFormat(locale, { timeZone, ...parts, ...zoneName });
  });
  const day = formatOf(
    `${locale} ${timeZone} day`,
    () => new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium' }),
  );
  const month = formatOf(`${locale} month`, () => {
    return new Intl.DateTimeFormat(locale, { timeZone: 'UTC', year: 'numeric', month: 'long' });
  });
  const number = formatOf(`${locale} number`, () => new Intl.NumberFormat(locale));
  return {
    language,
    texts: TEXTS[language],
    timeZone,
    membership,
    memberships,
    can: (access) => (membership ? hasPermission(membership.role, access) : user !== null && access === 'self'),
    formatTime: (at) => moment.format(Math.floor(at / 1000)),
    formatDay: (at) => day.format(Math.floor(at / 1000)),
    month: (at) => month.format(Math.floor(at / 1000)),
    number: (value) => number.format(value),
    size: (bytes) => sizeIn(locale, bytes),
  };
}

function preferredLanguage(request: Request): Language {
  const wanted = request.headers.get('accept-language') ?? '';
  const best = new Negotiator({ headers: { 'accept-language': wanted } }).language([...LANGUAGES]);
  return LANGUAGES.find((known) => known === best) ?? 'en';
}

/** Returns the browser's region of the language, if it has one: dates differ between en-GB and en-US. */
function localeOf(request: Request, language: Language): string {
  const wanted = new Negotiator({
    headers: { 'accept-language': request.headers.get('accept-language') ?? '' },
  }).languages();
  const same = wanted.find((tag) => tag === language || tag.startsWith(`${language}-`)) ?? language;
  return Intl.DateTimeFormat.supportedLocalesOf(isWellFormed(same) ? same : language)[0] ?? language;
}

function isWellFormed(tag: string): boolean {
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(tag);
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

function sizeIn(locale: string, bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const unit = UNITS[power] ?? 'byte';
  return formatOf(`${locale} ${unit}`, () => {
    return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 });
  }).format(bytes / 1000 ** power);
}

/** Formats are cached, because creating one is slow. */
const MAX_FORMATS = 500;
const formats = new Map<string, unknown>();

function formatOf<Format>(name: string, make: () => Format): Format {
  const known = formats.get(name) as Format | undefined;
  if (known) return known;
  if (formats.size >= MAX_FORMATS) formats.clear();
  const format = make();
  formats.set(name, format);
  return format;
}
