import { DAY, type Micros } from '../../lib/clock.ts';
import type { Reach, Role } from '../teams/roles.ts';
import type { Team } from '../teams/team.ts';

export const THEMES = ['light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

/** A dashboard user. `email` is in lowercase; null `theme`, `language` or `timeZone` (IANA) means the browser's. */
export type User = Readonly<{
  id: string;
  email: string;
  name: string | null;
  theme: Theme | null;
  language: string | null;
  timeZone: string | null;
  createdAt: Micros;
}>;

export type Membership = Readonly<{
  team: Team;
  role: Role;
  workspaceIds: Reach;
  /** True if the team has other members. */
  isShared: boolean;
}>;

/** A team member, who joined at `since`. */
export type Member = Readonly<{
  userId: string;
  email: string;
  name: string | null;
  role: Role;
  workspaceIds: Reach;
  since: Micros;
}>;

/** A pending invitation. `id` is the hash of its token; `email` is null if the link was only displayed, not mailed. */
export type Invitation = Readonly<{
  id: string;
  role: Role;
  workspaceIds: Reach;
  email: string | null;
  /** The member who made it; null for a command or the first start. */
  createdBy: string | null;
  createdAt: Micros;
  expiresAt: Micros;
}>;

/** API keys to revoke, webhooks to pause and forms to end notifications of, together with a member's role. */
export type ChosenAccess = Readonly<{
  keyIds: readonly string[];
  webhookIds: readonly string[];
  notifyingFormIds: readonly string[];
}>;

export const NO_ACCESS: ChosenAccess = { keyIds: [], webhookIds: [], notifyingFormIds: [] };

/** Numbers of what ended together with a member's role. */
export type RevokedAccess = Readonly<{ invitations: number; keys: number; webhooks: number; notifications: number }>;

/** An account at an OIDC provider. */
export type Identity = Readonly<{ issuer: string; subject: string }>;

/**
 * Proof that a session began with; `link` is one of the command line while there are no passwords. A session by `header`
 * is valid only with the header in each request.
 */
export type SignInMethod = 'password' | 'passkey' | 'oidc' | 'header' | 'link';

/** Idle timeout of a session. */
export const SESSION_IDLE = 7 * DAY;

/** A dashboard session. `address` is a truncated IP address, `browser` a short description. */
export type Session = Readonly<{
  id: string;
  userId: string;
  /** The selected team; null means the user's first. */
  teamId: string | null;
  /** Set after the password was verified, until the second factor is. */
  isPending: boolean;
  method: SignInMethod;
  /** True if the sign-in itself proved two factors. */
  isMultiFactor: boolean;
  /** The time of the last password check in this session. */
  passwordAt: Micros;
  address: string;
  browser: string;
  createdAt: Micros;
  lastUsedAt: Micros;
  expiresAt: Micros;
}>;

/** A single-use link to join the team `teamId`, to reset the password of `userId`, or to confirm its new address. */
export type OneTimeLink = Readonly<{
  teamId: string | null;
  userId: string | null;
  role: Role | null;
  /** The workspaces of an invited member. */
  workspaceIds?: Reach;
  /** Recipient; null if the link was only displayed. */
  email: string | null;
  newEmail: string | null;
  /** The member who made an invitation; null for other links. */
  createdBy: string | null;
  createdAt: Micros;
  expiresAt: Micros;
}>;
