import { randomBytes } from 'node:crypto';
import type { Session, User } from '../domain/user.ts';
import { type Clock, DAY, MINUTE } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Store } from '../storage/store.ts';

type Deps = Readonly<{ store: Store; clock: Clock }>;

/** How long a sign-in holds. */
export const SESSION_LIFE = 30 * DAY;

/** How long somebody whose password was right has for the second factor. */
export const PENDING_LIFE = 10 * MINUTE;

/** 256 random bits in base64url: for a cookie or a link. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 in hex: what is kept of a token. A fast hash is right here, since 256 random bits cannot be searched. */
export function hashToken(token: string): string {
  return new Bun.CryptoHasher('sha256').update(token).digest('hex');
}

/** A session that is not kept yet, and the secret for its cookie, which is kept nowhere. */
export function newSession(
  clock: Clock,
  user: User,
  from: Pick<Session, 'address' | 'browser'>,
  isPending = false,
): Readonly<{ secret: string; session: Session }> {
  const now = clock();
  const times = { createdAt: now, lastUsedAt: now, expiresAt: now + (isPending ? PENDING_LIFE : SESSION_LIFE) };
  const session = { id: newId('ses'), userId: user.id, teamId: null, isPending, ...from, ...times };
  return { secret: newToken(), session };
}

/** Signs a user in, or lets them on to their second factor; the secret for the cookie. */
export async function startSession(
  { store, clock }: Deps,
  user: User,
  from: Pick<Session, 'address' | 'browser'>,
  isPending = false,
): Promise<string> {
  const { secret, session } = newSession(clock, user, from, isPending);
  await store.createSession(hashToken(secret), session);
  return secret;
}
