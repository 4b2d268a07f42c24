import { DAY, type Micros } from '../lib/clock.ts';
import type { Role } from './roles';
import type { Team } from './team.ts';

/** A person who signs in. `email` is in small letters; `language` and `timeZone` (IANA) are null where the browser's are taken. */
export type User = Readonly<{
  id: string;
  email: string;
  language: string | null;
  timeZone: string | null;
  createdAt: Micros;
}>;

/** A team that a user belongs to, and what they may do there. */
export type Membership = Readonly<{ team: Team; role: Role }>;

/** Someone who belongs to a team. */
export type Member = Readonly<{ userId: string; email: string; role: Role; since: Micros }>;

/** An open invitation to a team. `id` is the hash of its token, which cannot be found from it; `email` is null where it was only shown. */
export type Invitation = Readonly<{
  id: string;
  role: Role;
  email: string | null;
  createdAt: Micros;
  expiresAt: Micros;
}>;

/** A session that is not used for so long ends before its time. */
export const SESSION_IDLE = 7 * DAY;

/** A sign-in. `address` is shortened, `browser` a few words. */
export type Session = Readonly<{
  id: string;
  userId: string;
  /** The team whose things are shown; null for the first. */
  teamId: string | null;
  /** Whether the password was right and the second factor is still asked for. */
  isPending: boolean;
  address: string;
  browser: string;
  createdAt: Micros;
  lastUsedAt: Micros;
  expiresAt: Micros;
}>;

/** A link that works once: to join the team `teamId` under a role, or to set the password of `userId` anew. */
export type OneTimeLink = Readonly<{
  teamId: string | null;
  userId: string | null;
  role: Role | null;
  /** Whom it was sent to; null where it was only shown. */
  email: string | null;
  createdAt: Micros;
  expiresAt: Micros;
}>;
