import type { ValueWords } from '../domain/fields/field-type.ts';
import { type Access, hasPermission } from '../domain/teams/roles.ts';
import type { Membership, User } from '../domain/users/user.ts';
import type { Micros } from '../lib/clock.ts';
import * as i18n from '../lib/i18n.ts';
import { CATALOG } from './ui/texts.ts';

/** The means by which a user signs in and confirms sensitive changes. */
export type SignInMeans = Readonly<{ hasPassword: boolean; hasPasskey: boolean }>;

const STRANGER = { hasPassword: true, hasPasskey: false, hasProven: false };

/** Language, time zone, teams and access of the person viewing the page. */
export type Viewer = Readonly<ReturnType<typeof getViewer>>;

/** The viewer's teams, and the current one. */
export type Memberships = Readonly<{ membership: Membership | null; memberships: readonly Membership[] }>;

export const NO_MEMBERSHIPS: Memberships = { membership: null, memberships: [] };

/** Returns the viewer: settings of the user, else of the browser. Times are in UTC until a time zone is known. */
export function getViewer(
  request: Request,
  user: User | null,
  { membership, memberships }: Memberships = NO_MEMBERSHIPS,
  { hasPassword, hasPasskey, hasProven }: SignInMeans & Readonly<{ hasProven: boolean }> = STRANGER,
) {
  const acceptLanguage = request.headers.get('accept-language');
  const language = CATALOG.find(user?.language) ?? CATALOG.negotiate(acceptLanguage);
  const locale = i18n.localeFor(acceptLanguage, language);
  const timeZone = user?.timeZone ?? 'UTC';
  return {
    language,
    texts: CATALOG.textsIn(language),
    timeZone,
    /** The user; null without a session. */
    person: user as Pick<User, 'email' | 'name' | 'theme'> | null,
    /** False for a user who confirms changes by a passkey or a recent sign-in instead of a password. */
    hasPassword,
    hasPasskey,
    /** True if the user has or gave a second factor. */
    hasProven,
    /** The current team with the viewer's role; null without a session or a team. */
    membership,
    /** All teams of the viewer, oldest first. */
    memberships,
    /** Returns true if the viewer's role gives access. Without a team only `self` is allowed. */
    can: (access: Access) => (membership ? hasPermission(membership.role, access) : user !== null && access === 'self'),
    /** True if the viewer sees all workspaces of the current team. */
    seesAll: (membership?.workspaceIds ?? null) === null,
    /** Returns day and time; `<Time>` shows them. */
    formatTime: (at: Micros) => i18n.formatMoment(locale, timeZone, at / 1000),
    /** Returns the day; `<Day>` shows it. */
    formatDay: (at: Micros) => i18n.formatDay(locale, timeZone, at / 1000),
    /** Returns the day of a time in UTC, as submissions are counted. */
    utcDay: (at: Micros) => i18n.formatDay(locale, 'UTC', at / 1000),
    /** Returns the day without its year of a time in UTC. */
    utcDayOfYear: (at: Micros) => i18n.formatDayOfYear(locale, 'UTC', at / 1000),
    /** Returns the time for today, else the day; `<ShortTime>` shows it. */
    formatShort: (at: Micros, now: Micros) => i18n.formatShort(locale, timeZone, at / 1000, now / 1000),
    /** Returns how long ago a time was. */
    ago: (at: Micros, now: Micros) => i18n.formatAgo(locale, at / 1000, now / 1000),
    /** A month in UTC, as plans count them. */
    month: (at: Micros) => i18n.formatMonth(locale, at / 1000),
    /** Words for the values of fields. */
    values: {
      ...CATALOG.textsIn(language).values,
      anonymous: CATALOG.textsIn(language).common.anonymous,
      date: (day) => i18n.formatDate(locale, day),
    } satisfies ValueWords & Readonly<{ anonymous: string }>,
    number: (value: number) => i18n.formatNumber(locale, value),
    /** A share from 0 to 1 in percent. */
    percent: (share: number) => i18n.formatPercent(locale, share),
    /** A size in bytes, in a unit that fits. */
    size: (bytes: number) => i18n.formatSize(locale, bytes),
  };
}
