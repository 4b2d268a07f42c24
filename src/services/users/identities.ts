import type { Role } from '../../domain/teams/roles.ts';
import type { Identity, User } from '../../domain/users/user.ts';
import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Logger } from '../../lib/log.ts';
import type { Store } from '../../storage/store.ts';
import type { ProvenPerson } from './oidc-provider.ts';
import { hashToken } from './sessions.ts';

type Deps = Readonly<{ store: Store; clock: Clock; log: Logger }>;

/** A sign-in that must not succeed. `exists`: the account of the address is linked once its user signs in to it. */
export type Refusal = 'unverified' | 'domain' | 'other_identity' | 'exists' | 'link_again' | 'not_invited';

type Terms = Readonly<{
  /** Domains of addresses that may sign in; empty for all. */
  domains: readonly string[];
  /** The team and the role of people who join without an invitation; null if nobody may. */
  join: Readonly<{ teamId: string; role: Role }> | null;
  /** The token of the invitation that the browser came from. */
  invitation: string | null;
  /** The user of the browser's session. */
  current: User | null;
  /** True if this user asked to link the identity, whatever its address. */
  mayLink: boolean;
}>;

/**
 * Finds or creates the user of a person whom a provider has signed in. An identity stays with its account, whatever its
 * address becomes. An existing account is linked only with its session, and only a verified address finds or creates one.
 */
export async function resolvePerson(
  deps: Deps,
  person: ProvenPerson,
  { domains, current, mayLink, ...terms }: Terms,
): Promise<Refusal | Readonly<{ user: User; change: 'account.created' | 'identity.linked' | null }>> {
  const { store } = deps;
  const { email, issuer } = person;
  if (domains.length > 0 && !domains.includes(email?.slice(email.lastIndexOf('@') + 1) ?? '')) {
    return email === null ? 'unverified' : 'domain';
  }
  const known = await store.identities.findUser(person);
  if (known) return { user: known, change: null };
  const account = current ?? (email === null ? null : await store.users.findByEmail(email));
  const identities = account ? await store.identities.list(account.id) : [];
  if (identities.some((identity) => identity.issuer === issuer)) return 'other_identity';
  if (current && (mayLink || current.email === email)) {
    const isLinked = await store.identities.add(current.id, person);
    return isLinked ? { user: current, change: 'identity.linked' } : 'other_identity';
  }
  if (account) return current ? 'link_again' : 'exists';
  if (email === null) return 'unverified';
  const user = await createInvited(deps, { ...person, email }, person, terms);
  return user ? { user, change: 'account.created' } : 'not_invited';
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
