import { AppError, invalidInput } from '../../domain/errors.ts';
import { parseAddress } from '../../domain/mail/email-address.ts';
import { type Reach, type Role, reachOf } from '../../domain/teams/roles.ts';
import { checkPassword, normalizePassword, type PasswordError } from '../../domain/users/password.ts';
import type { OneTimeLink, Session, User } from '../../domain/users/user.ts';
import { type Clock, DAY, HOUR, type Micros } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import type { Store } from '../../storage/store.ts';
import { hashToken, newToken } from './sessions.ts';

type Deps = Readonly<{ store: Store; clock: Clock }>;

/** A new one-time link; the token is not stored. */
export type NewLink = Readonly<{ token: string; expiresAt: Micros }>;

/** Lifetime of a link that creates the first account of a team. */
export const WELCOME_LINK_TTL = DAY;

/** Lifetime of an invitation. */
export const INVITATION_TTL = 7 * DAY;

/** Lifetime of a password reset link. */
export const RESET_LINK_TTL = HOUR;

/** Lifetime of a link that confirms a new email address. */
export const EMAIL_LINK_TTL = HOUR;

/** Argon2id parameters of OWASP's Password Storage Cheat Sheet: 19 MiB, two passes. */
const HASHING = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;

/** Concurrent hash operations; each takes 19 MiB and about 40 ms of CPU time. */
const MAX_CONCURRENT_HASHES = 2;

/** Queued hash operations, about one second of work, from which callers should be turned away. */
const MAX_QUEUED_HASHES = 40;

/** Hash of a random password, verified for unknown addresses and users without a password so that their response time is the same. */
const DUMMY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$LIi7PPBNc75CKVlC34PPLXS0vm4U8OfUjuOq6GgHUno$jEIEQRGUMbDBg9wJC5E/52tTKh9y8MT7kVA/VnVVK2I';

/** Returns an email address in the canonical form of accounts; null if it is invalid. */
export const parseAccountEmail = (text: string): string | null => parseAddress(text.trim())?.toLowerCase() ?? null;

/** Returns the same. Throws `invalid_input` for an invalid address. */
export function requireEmail(text: string): string {
  const email = parseAccountEmail(text);
  if (email !== null) return email;
  throw invalidInput(`${JSON.stringify(text)} is not an email address such as ada@example.com.`);
}

/** Creates a link with which one person creates an account in the team. The team must exist. */
export function createWelcomeLink(deps: Deps, teamId: string, role: Role = 'owner'): Promise<NewLink> {
  return createLink(deps, { teamId, role }, WELCOME_LINK_TTL);
}

/** Creates the same link for a member to pass on. `email` is only a note: any holder of the link can use it. */
export function createInvitation(
  deps: Deps,
  to: Readonly<{ teamId: string; role: Role; workspaceIds?: Reach; email: string | null; createdBy: string | null }>,
): Promise<NewLink> {
  return createLink(deps, { ...to, workspaceIds: reachOf(to.role, to.workspaceIds ?? null) }, INVITATION_TTL);
}

/** Creates a link that resets the password of a user. */
export function createResetLink(deps: Deps, userId: string): Promise<NewLink> {
  return createLink(deps, { userId }, RESET_LINK_TTL);
}

/** Creates a link that confirms a new email address of a user. */
export function createEmailLink(deps: Deps, userId: string, newEmail: string): Promise<NewLink> {
  return createLink(deps, { userId, newEmail }, EMAIL_LINK_TTL);
}

type LinkFor = Omit<OneTimeLink, 'createdAt' | 'expiresAt'>;

const NOBODY: LinkFor = {
  ...{ teamId: null, userId: null, role: null, workspaceIds: null },
  ...{ email: null, newEmail: null, createdBy: null },
};

async function createLink({ store, clock }: Deps, to: Partial<LinkFor>, ttl: Micros): Promise<NewLink> {
  const token = newToken();
  const now = clock();
  const expiresAt = now + ttl;
  await store.users.createLink(hashToken(token), { ...NOBODY, ...to, createdAt: now, expiresAt });
  return { token, expiresAt };
}

/** An error of the email address or the password of a new account. */
export type AccountError = 'email' | 'taken' | PasswordError;

type NewAccount = Readonly<{ email: string; password: string; timeZone: string | null }>;

/** Account creation and password checks, with a limit of concurrent hash operations to protect memory and CPU. */
export class Accounts {
  readonly #hashing = new Semaphore(MAX_CONCURRENT_HASHES);

  constructor(private readonly deps: Deps) {}

  /**
   * True if the queue of hash operations is full, so that requests should be refused. All methods below that hash queue
   * at once, so that requests that arrive together are counted before the next one asks.
   */
  get isBusy(): boolean {
    return this.#hashing.waiting >= MAX_QUEUED_HASHES;
  }

  /**
   * Creates the account of a link. The link works once, also for concurrent requests. Returns `link` if it is unknown,
   * used or expired.
   */
  create(token: string, account: NewAccount): Promise<User | 'link' | AccountError> {
    return this.#hashing.run(() => this.#create(token, account));
  }

  async #create(token: string, { email: text, password, timeZone }: NewAccount): Promise<User | 'link' | AccountError> {
    const { store, clock } = this.deps;
    const link = await store.users.findLink(hashToken(token));
    if (!link?.teamId) return 'link';
    const email = parseAccountEmail(text);
    if (email === null) return 'email';
    const error = await checkPassword(password, email);
    if (error) return error;
    const user = { id: newId('usr'), email, name: null, theme: null, language: null, timeZone, createdAt: clock() };
    try {
      return (await store.users.createByLink(hashToken(token), user, await hash(password))) ? user : 'link';
    } catch (error) {
      if (error instanceof AppError && error.code === 'conflict') return 'taken';
      throw error;
    }
  }

  /** Returns the user with this email and password, or null. Takes the same time for addresses without an account. */
  authenticate(email: string, password: string): Promise<User | null> {
    return this.#hashing.run(() => this.#authenticate(email, password));
  }

  async #authenticate(email: string, password: string): Promise<User | null> {
    const account = await this.deps.store.users.findByEmail(email);
    const isCorrect = await Bun.password.verify(normalizePassword(password), account?.passwordHash ?? DUMMY_HASH);
    if (!account?.passwordHash || !isCorrect) return null;
    // A password change during the check ended all sessions, so the old password must not start a new one.
    if ((await this.deps.store.users.findByEmail(email))?.passwordHash !== account.passwordHash) return null;
    const { passwordHash: _, ...user } = account;
    return user;
  }

  /** Returns the user of a reset link; null if the link is unknown, used or expired. */
  async userOfResetLink(token: string): Promise<User | null> {
    const { store } = this.deps;
    const link = await store.users.findLink(hashToken(token));
    return link?.userId && link.newEmail === null ? store.users.find(link.userId) : null;
  }

  /** Resets the password of a link's user, ends all their sessions and invalidates the link. */
  resetPassword(token: string, user: User, password: string): Promise<User | 'link' | PasswordError> {
    return this.#hashing.run(async () => {
      const error = await checkPassword(password, user.email);
      if (error) return error;
      return (await this.deps.store.users.setPasswordByLink(hashToken(token), await hash(password))) ?? 'link';
    });
  }

  /** Changes the password and ends all other sessions. Returns the error of an unacceptable password, else null. */
  changePassword(user: User, session: Session, password: string): Promise<PasswordError | null> {
    return this.#hashing.run(async () => {
      const error = await checkPassword(password, user.email);
      if (error) return error;
      await this.deps.store.users.setPassword(user.id, await hash(password), session.id);
      return null;
    });
  }
}

const hash = (password: string): Promise<string> => Bun.password.hash(normalizePassword(password), HASHING);
