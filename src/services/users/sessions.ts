import { randomBytes } from 'node:crypto';
import type { Session, SignInMethod, User } from '../../domain/users/user.ts';
import { type Clock, DAY, MINUTE } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Store } from '../../storage/store.ts';

type Deps = Readonly<{ store: Store; clock: Clock }>;

/** Lifetime of a session. */
export const SESSION_TTL = 30 * DAY;

/** Time between a correct password and the second factor. */
export const PENDING_SESSION_TTL = 10 * MINUTE;

/** Time after a password check in which a session may do what a stolen one must not. */
export const RECENT_PASSWORD = 10 * MINUTE;

/** Returns 256 random bits in base64url, for a cookie or a link. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Returns the SHA-256 of a token in hex, for storage. A fast hash is safe for 256 random bits. */
export const hashToken = (token: string): string => new Bun.CryptoHasher('sha256').update(token).digest('hex');

/** Origin and proof of a sign-in; by password, if nothing else is given. */
export type SignInOrigin = Pick<Session, 'address' | 'browser'> &
  Readonly<{ method?: SignInMethod; isMultiFactor?: boolean }>;

/** Builds a session that is not stored yet, with the secret for its cookie, which is never stored. */
export function newSession(
  clock: Clock,
  user: User,
  { method = 'password', isMultiFactor = false, ...from }: SignInOrigin,
  isPending = false,
): Readonly<{ secret: string; session: Session }> {
  const now = clock();
  const times = { createdAt: now, lastUsedAt: now, expiresAt: now + (isPending ? PENDING_SESSION_TTL : SESSION_TTL) };
  const proof = { isPending, method, isMultiFactor, passwordAt: now };
  const session = { id: newId('ses'), userId: user.id, teamId: null, ...proof, ...from, ...times };
  return { secret: newToken(), session };
}

/** Creates a session, pending if the second factor is still due. Returns the secret for the cookie. */
export async function startSession(deps: Deps, user: User, from: SignInOrigin, isPending = false): Promise<string> {
  const { store, clock } = deps;
  const { secret, session } = newSession(clock, user, from, isPending);
  await store.sessions.create(hashToken(secret), session);
  return secret;
}
