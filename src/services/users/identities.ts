import { AppError } from '../../domain/errors.ts';
import type { Role } from '../../domain/teams/roles.ts';
import type { Identity, User } from '../../domain/users/user.ts';
import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Logger } from '../../lib/log.ts';
import type { Store } from '../../storage/store.ts';
import type { ProvenPerson } from './oidc-provider.ts';
import { hashToken } from './sessions.ts';

type Deps = Readonly<{ store: Store; clock: Clock; log: Logger }>;

/** The team and the role of people who join without an invitation; null if nobody may. */
export type Join = Readonly<{ teamId: string; role: Role }> | null;

/** A sign-in that must not succeed. */
export type Refusal = 'unverified' | 'domain' | 'other_identity' | 'not_invited';

/**
 * The outcome of a sign-in by a provider: the user, an account that must be linked first (`user` is null if the caller has
 * to sign in to it), or a refusal.
 */
export type Resolved =
  | Readonly<{ kind: 'user'; user: User; change: 'created' | 'linked' | null }>
  | Readonly<{ kind: 'link'; user: User | null }>
  | Readonly<{ kind: 'refused'; reason: Refusal }>;

type Terms = Readonly<{
  /** Domains of addresses that may sign in; empty for all. */
  domains: readonly string[];
  join: Join;
  /** The token of the invitation that the browser came from. */
  invitation: string | null;
  /** The user of the browser's session. */
  current: User | null;
}>;

/**
 * Finds or creates the user of a person whom a provider has signed in. An identity stays with its account, whatever its
 * address becomes. An existing account is linked only with its session, and only a verified address finds or creates one.
 */
export async function resolvePerson(deps: Deps, person: ProvenPerson, terms: Terms): Promise<Resolved> {
  const { store } = deps;
  const { email } = person;
  const { domains, current } = terms;
  if (domains.length > 0 && !domains.includes(email?.slice(email.lastIndexOf('@') + 1) ?? '')) {
    return { kind: 'refused', reason: email === null ? 'unverified' : 'domain' };
  }
  const known = await store.identities.findUser(person);
  if (known) return { kind: 'user', user: known, change: null };
  const account = current ?? (email === null ? null : await store.users.findByEmail(email));
  if (account && (await hasIdentityAt(store, account, person))) return { kind: 'refused', reason: 'other_identity' };
  if (current && current.email === email && (await store.identities.add(current.id, person))) {
    return { kind: 'user', user: current, change: 'linked' };
  }
  if (account) return { kind: 'link', user: current };
  if (email === null) return { kind: 'refused', reason: 'unverified' };
  const user = await createInvited(deps, { ...person, email }, person, terms);
  return user ? { kind: 'user', user, change: 'created' } : { kind: 'refused', reason: 'not_invited' };
}

async function hasIdentityAt(store: Store, { id }: User, { issuer }: Identity): Promise<boolean> {
  return (await store.identities.list(id)).some((identity) => identity.issuer === issuer);
}

/**
 * Creates the account of a verified address by an invitation or by `join`. Returns null without either. Throws
 * `AppError('conflict')` if somebody else has just created it.
 */
export async function createInvited(
  { store, clock, log }: Deps,
  { email, name = null }: Readonly<{ email: string; name?: string | null }>,
  identity: Identity | null,
  { join, invitation }: Pick<Terms, 'join' | 'invitation'>,
): Promise<User | null> {
  const hasTeam = join !== null && (await store.teams.find(join.teamId)) !== null;
  if (join && !hasTeam)
    log.warn('OIDC_JOIN or AUTH_HEADER_JOIN names a team that does not exist', { team: join.teamId });
  const settings = { theme: null, language: null, timeZone: null };
  const user = { id: newId('usr'), email, name, ...settings, createdAt: clock() };
  const by = { hash: invitation === null ? null : hashToken(invitation), join: hasTeam ? join : null };
  return (await store.users.createInvited(user, identity, by)) ? user : null;
}

/** Links an identity to an account. Throws `AppError('conflict')` if either has another one. */
export async function linkIdentity({ store }: Pick<Deps, 'store'>, user: User, identity: Identity): Promise<void> {
  if (await store.identities.add(user.id, identity)) return;
  throw new AppError(
    'conflict',
    'This account of the provider is linked to another user, or this user to another one.',
  );
}
