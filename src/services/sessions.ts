import { randomBytes } from 'node:crypto';
import type { Session, User } from '../domain/user.ts';
import { type Clock, DAY } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Store } from '../storage/store.ts';

type Keeper = Readonly<{ store: Store; clock: Clock }>;

/** How long a sign-in holds. */
export const SESSION_LIFE = 30 * DAY;

/** 256 random bits in base64url: for a cookie or a link. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 in hex: what is kept of a token. A fast hash is right here, since 256 random bits cannot be searched. */
export function hashToken(token: string): string {
  return new Bun.CryptoHasher('sha256').update(token).digest('hex');
}

/** Signs a user in; the secret for the cookie is kept nowhere. */
export async function startSession(
  { store, clock }: Keeper,
  user: User,
  from: Pick<Session, 'address' | 'browser'>,
): Promise<string> {
  const secret = newToken();
  const now = clock();
  const times = { createdAt: now, lastUsedAt: now, expiresAt: now + SESSION_LIFE };
  const session = { id: newId('ses'), userId: user.id, teamId: null, isPending: false, ...from, ...times };
  await store.createSession(hashToken(secret), session);
  return secret;
}
