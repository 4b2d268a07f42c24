import { parseAddress } from '../domain/email-address.ts';
import { AppError } from '../domain/errors.ts';
import { normalisePassword, type PasswordFault, passwordFault } from '../domain/password.ts';
import type { Role } from '../domain/rights.ts';
import type { OneTimeLink, Session, User } from '../domain/user.ts';
import { type Clock, DAY, HOUR, type Micros } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { Semaphore } from '../lib/semaphore.ts';
import type { Store } from '../storage/store.ts';
import { hashToken, newToken } from './sessions.ts';

type Deps = Readonly<{ store: Store; clock: Clock }>;

/** A link that was just made; the token is kept nowhere. */
export type NewLink = Readonly<{ token: string; expiresAt: Micros }>;

/** How long a link holds with which an account is made. */
export const WELCOME_LIFE = DAY;

/** How long an invitation holds. */
export const INVITATION_LIFE = 7 * DAY;

/** How long a link holds with which a password is set anew. */
export const RESET_LIFE = HOUR;

/** Argon2id as OWASP's Password Storage Cheat Sheet has it: 19 MiB, two passes. */
const HASHING = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;

/** Each takes 19 MiB and a processor for some 40 ms. */
const HASHINGS_AT_ONCE = 2;

/** More than can wait a second; whoever comes then is asked to come again. */
const MOST_WAITING = 40;

/** Of a random password that nobody knows, made as all others are. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$LIi7PPBNc75CKVlC34PPLXS0vm4U8OfUjuOq6GgHUno$jEIEQRGUMbDBg9wJC5E/52tTKh9y8MT7kVA/VnVVK2I';

/** In what form an address names an account; null if it is none. */
export function accountEmail(text: string): string | null {
  return parseAddress(text.trim())?.toLowerCase() ?? null;
}

/** The same. Throws `invalid_input` for a text that is no address. */
export function requireEmail(text: string): string {
  const email = accountEmail(text);
  if (email !== null) return email;
  throw new AppError('invalid_input', `${JSON.stringify(text)} is no e-mail address, such as ada@example.com.`);
}

/** Makes a link that lets one person into a team, which must be there. */
export function createWelcomeLink(deps: Deps, teamId: string, role: Role = 'owner'): Promise<NewLink> {
  return createLink(deps, { teamId, userId: null, role, email: null }, WELCOME_LIFE);
}

/** Makes such a link for a member of the team to hand on. `email` only says whom it is meant for: whoever holds it can use it. */
export function createInvitation(
  deps: Deps,
  to: Readonly<{ teamId: string; role: Role; email: string | null }>,
): Promise<NewLink> {
  return createLink(deps, { ...to, userId: null }, INVITATION_LIFE);
}

/** Makes a link that sets the password of a user anew. */
export function createResetLink(deps: Deps, userId: string): Promise<NewLink> {
  return createLink(deps, { teamId: null, userId, role: null, email: null }, RESET_LIFE);
}

async function createLink(
  { store, clock }: Deps,
  to: Omit<OneTimeLink, 'createdAt' | 'expiresAt'>,
  lasts: Micros,
): Promise<NewLink> {
  const token = newToken();
  const now = clock();
  const expiresAt = now + lasts;
  await store.createLink(hashToken(token), { ...to, createdAt: now, expiresAt });
  return { token, expiresAt };
}

/** Why nothing was made or set: `link` for one that is not there, was used or has expired. */
export type AccountFault = 'link' | 'email' | 'taken' | PasswordFault;

type WantedAccount = Readonly<{ email: string; password: string; timeZone: string | null }>;

/** Makes accounts and looks at passwords; few at once, so that neither memory nor processor are used up. */
export class Accounts {
  readonly #hashings = new Semaphore(HASHINGS_AT_ONCE);

  constructor(private readonly deps: Deps) {}

  /** Whether so many passwords are being looked at that no more should be taken on now. */
  get isBusy(): boolean {
    return this.#hashings.waiting >= MOST_WAITING;
  }

  /** Makes the account that a link is for. Of several who use one link at once, one gets it. */
  async make(token: string, { email: text, password, timeZone }: WantedAccount): Promise<User | AccountFault> {
    const { store, clock } = this.deps;
    const link = await store.findLink(hashToken(token));
    if (!link?.teamId) return 'link';
    const email = accountEmail(text);
    if (email === null) return 'email';
    const fault = await passwordFault(password, email);
    if (fault) return fault;
    const user = { id: newId('usr'), email, language: null, timeZone, createdAt: clock() };
    try {
      return (await store.createUserByLink(hashToken(token), user, await this.#hash(password))) ? user : 'link';
    } catch (error) {
      if (error instanceof AppError && error.code === 'conflict') return 'taken';
      throw error;
    }
  }

  /** The user whose password this is; null if there is none. It takes as long for an address that has no account. */
  async find(email: string, password: string): Promise<User | null> {
    const found = await this.deps.store.findUserByEmail(email);
    const isRight = await this.#isPasswordOf(found?.passwordHash ?? NOBODYS_HASH, password);
    if (!found || !isRight) return null;
    // Another one that was set meanwhile has ended all sessions: none may begin with the old.
    if ((await this.deps.store.findUserByEmail(email))?.passwordHash !== found.passwordHash) return null;
    const { passwordHash: _, ...user } = found;
    return user;
  }

  /** The user whose password a link sets anew; null for a link that is not there, was used or has expired. */
  async userOfLink(token: string): Promise<User | null> {
    const { store } = this.deps;
    const link = await store.findLink(hashToken(token));
    return link?.userId ? store.findUser(link.userId) : null;
  }

  /** Uses up a link to set the password of its user anew, and ends all their sessions. */
  async reset(token: string, user: User, password: string): Promise<User | 'link' | PasswordFault> {
    const fault = await passwordFault(password, user.email);
    if (fault) return fault;
    return (await this.deps.store.setPasswordByLink(hashToken(token), await this.#hash(password))) ?? 'link';
  }

  /** Sets another password and ends all other sessions, unless there is a fault in it, which is returned. */
  async changePassword(user: User, session: Session, password: string): Promise<PasswordFault | null> {
    const fault = await passwordFault(password, user.email);
    if (fault) return fault;
    await this.deps.store.setPassword(user.id, await this.#hash(password), session.id);
    return null;
  }

  #hash(password: string): Promise<string> {
    return this.#hashings.run(() => Bun.password.hash(normalisePassword(password), HASHING));
  }

  #isPasswordOf(hash: string, password: string): Promise<boolean> {
    return this.#hashings.run(() => Bun.password.verify(normalisePassword(password), hash));
  }
}
