import type { Role } from '../../../src/domain/teams/roles.ts';
import { HOUR } from '../../../src/lib/clock.ts';
import { createKey } from '../../../src/services/keys/api-keys.ts';
import { startSession } from '../../../src/services/users/sessions.ts';
import { type SignedIn, signIn } from '../dashboard/signed-in.ts';
import type { World } from '../dashboard/world.ts';

/**
 * The callers in the order of the table's columns. All keys except `read` can write; the plan of `free` has no API access.
 * `other` and `away` belong to another team, `away` as its owner. `inner` is an editor and `guest` a viewer who are
 * limited to another workspace than that of the objects. `half` has entered the password but not the second factor.
 */
export const CALLERS: readonly string[] = [
  ...['nobody', 'bad', 'expired', 'revoked', 'read', 'write', 'free', 'other'],
  ...['half', 'owner', 'editor', 'viewer', 'away', 'inner', 'guest'],
];

/** A caller's credentials, and the user of a session. */
export type Caller = Readonly<{ headers: Readonly<Record<string, string>>; who: SignedIn | null }>;

/** Signs in a member of the world's team who is limited to its second workspace. */
export async function signInLimited({ instance, owner }: World, role: Role): Promise<SignedIn> {
  const { store } = instance.context;
  const who = await signIn(instance, owner, {}, role);
  const second = (await store.workspaces.list(owner.teamId)).find(({ name }) => name === 'Second');
  await store.members.changeRole(owner.teamId, who.user.id, role, undefined, [second?.id ?? '']);
  return who;
}

/** Returns a function that creates callers by name. Each call creates a new session, since a request may end it. */
export async function makeCallers(world: World): Promise<(name: string) => Promise<Caller>> {
  const { instance, owner } = world;
  const { context } = instance;
  const free = await instance.makeOwner('free');
  const other = await instance.makeOwner();
  const readPrimaryKey = {
    teamId: owner.teamId,
    name: 'read_write',
    scope: 'read_write',
    expiresAt: context.clock(),
    createdBy: null,
  } as const;
  const expired = await createKey(
    { ...context, plans: context.config.plans, clock: () => context.clock() - HOUR },
    readPrimaryKey,
  );
  const revoked = await instance.makeKey(owner, 'read_write');
  await context.store.keys.revoke(revoked.id, context.clock());

  const keys: Readonly<Record<string, string>> = {
    bad: owner.writeKey.slice(0, -1) + (owner.writeKey.endsWith('0') ? '1' : '0'),
    expired: expired.secret,
    revoked: revoked.secret,
    read: owner.readKey,
    write: owner.writeKey,
    free: free.writeKey,
    other: other.writeKey,
  };
  const signedIn = (name: string): Promise<SignedIn> => {
    if (name === 'away') return signIn(instance, other);
    if (name === 'inner' || name === 'guest') return signInLimited(world, name === 'inner' ? 'editor' : 'viewer');
    return signIn(instance, owner, {}, name === 'editor' || name === 'viewer' ? name : 'owner');
  };

  return async (name) => {
    if (name === 'nobody') return { headers: {}, who: null };
    const key = keys[name];
    if (key) return { headers: { Authorization: `Bearer ${key}` }, who: null };
    const who = await signedIn(name);
    if (name !== 'half') return { headers: { Cookie: who.cookie }, who };
    const secret = await startSession(context, who.user, { address: '127.0.0.x', browser: 'Test' }, true);
    return { headers: { Cookie: `formstead_session=${secret}` }, who };
  };
}
