import type { ValueWords } from '../domain/fields/field-type.ts';
import { type Access, hasPermission } from '../domain/teams/roles.ts';
import type { Membership, User } from '../domain/users/user.ts';
import type { Micros } from '../lib/clock.ts';
import {
  formatAgo,
  formatDate,
  formatDay,
  formatMoment,
  formatMonth,
  formatNumber,
  formatPercent,
  formatShort,
  formatSize,
  localeFor,
} from '../lib/i18n.ts';
import type { Language } from './ui/catalog.ts';
import { CATALOG, type Texts } from './ui/texts.ts';

/** The means by which a user signs in and confirms sensitive changes. */
export type SignInMeans = Readonly<{ hasPassword: boolean; hasPasskey: boolean }>;

/** Language, time zone, teams and access of the person viewing the page. */
export type Viewer = Readonly<{
  language: Language;
  texts: Texts;
  timeZone: string;
  /** The user; null without a session. */
  person: Pick<User, 'email' | 'name' | 'theme'> | null;
  /** Without a session, only a password. */
  means: SignInMeans;
  /** The current team with the viewer's role; null without a session or a team. */
  membership: Membership | null;
  /** All teams of the viewer, oldest first. */
  memberships: readonly Membership[];
  /** Returns true if the viewer's role gives access. Without a team only `self` is allowed. */
  can: (access: Access) => boolean;
  /** True if the viewer sees all workspaces of the current team. */
  seesAll: boolean;
  /** Returns day and time; `<Time>` shows them. */
  formatTime: (at: Micros) => string;
  /** Returns the day; `<Day>` shows it. */
  formatDay: (at: Micros) => string;
  /** Returns the day of a time in UTC, as submissions are counted. */
  utcDay: (at: Micros) => string;
  /** Returns the time for today, else the day; `<ShortTime>` shows it. */
  formatShort: (at: Micros, now: Micros) => string;
  /** Returns how long ago a time was. */
  ago: (at: Micros, now: Micros) => string;
  /** A month in UTC, as plans count them. */
  month: (at: Micros) => string;
  /** Words for the values of fields. */
  values: ValueWords;
  number: (value: number) => string;
  /** A share from 0 to 1 in percent. */
  percent: (share: number) => string;
  /** A size in bytes, in a unit that fits. */
  size: (bytes: number) => string;
}>;

/** The viewer's teams, and the current one. */
export type Memberships = Pick<Viewer, 'membership' | 'memberships'>;

export const NO_MEMBERSHIPS: Memberships = { membership: null, memberships: [] };

/** Returns the viewer: settings of the user, else of the browser. Times are in UTC until a time zone is known. */
export function getViewer(
  request: Request,
  user: User | null,
  { membership, memberships }: Memberships = NO_MEMBERSHIPS,
  means: SignInMeans = { hasPassword: true, hasPasskey: false },
): Viewer {
  const acceptLanguage = request.headers.get('accept-language');
  const language = CATALOG.find(user?.language) ?? CATALOG.negotiate(acceptLanguage);
  const locale = localeFor(acceptLanguage, language);
  const timeZone = user?.timeZone ?? 'UTC';
  return {
    language,
    texts: CATALOG.textsIn(language),
    timeZone,
    person: user,
    means,
    membership,
    memberships,
    can: (access) => (membership ? hasPermission(membership.role, access) : user !== null && access === 'self'),
    seesAll: (membership?.workspaceIds ?? null) === null,
    formatTime: (at) => formatMoment(locale, timeZone, at / 1000),
    formatDay: (at) => formatDay(locale, timeZone, at / 1000),
    utcDay: (at) => formatDay(locale, 'UTC', at / 1000),
    formatShort: (at, now) => formatShort(locale, timeZone, at / 1000, now / 1000),
    ago: (at, now) => formatAgo(locale, at / 1000, now / 1000),
    month: (at) => formatMonth(locale, at / 1000),
    values: { ...CATALOG.textsIn(language).values, date: (day) => formatDate(locale, day) },
    number: (value) => formatNumber(locale, value),
    percent: (share) => formatPercent(locale, share),
    size: (bytes) => formatSize(locale, bytes),
  };
}
