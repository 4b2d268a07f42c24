import { afterAll, describe, expect, test } from 'bun:test';
import type { User } from '../../../../src/domain/users/user.ts';
import { HOUR } from '../../../../src/lib/clock.ts';
import { newId } from '../../../../src/lib/ids.ts';
import { type Engine, openFixture } from './fixture.ts';

const ISSUER = 'https://login.example.com/';

/** Tests accounts at providers, and users without a password. */
export async function describeIdentities(engine: Engine): Promise<void> {
  const { store, clock, makeForm } = await openFixture(engine);

  const newUser = (email = `${newId('a')}@x.example`): User => {
    const settings = { name: null, theme: null, language: null, timeZone: null };
    return { id: newId('usr'), email, ...settings, createdAt: clock.now };
  };
  const newIdentity = (issuer = ISSUER) => ({ issuer, subject: newId('sub') });
  const none = { hash: null, join: null };

  const invite = async (teamId: string, email: string | null, role: 'viewer' | 'editor' = 'viewer') => {
    const hash = newId('link');
    const times = { createdAt: clock.now, expiresAt: clock.now + HOUR };
    const nobody = { userId: null, newEmail: null, createdBy: null };
    await store.users.createLink(hash, { teamId, role, email, ...nobody, ...times });
    return hash;
  };

  /** Creates a user who joined a team without an invitation. */
  const makeUser = async (teamId: string, identity = newIdentity()) => {
    const user = newUser();
    const join = { teamId, role: 'viewer' } as const;
    expect(await store.users.createInvited(user, identity, { hash: null, join })).toBe(true);
    return { user, identity };
  };

  describe(`identities in ${engine.name}`, () => {
    afterAll(() => store.close());

    test('an identity belongs to one user, and a user has one at each provider', async () => {
      const { teamId } = await makeForm();
      const { user, identity } = await makeUser(teamId);
      const other = await makeUser(teamId);
      expect(await store.identities.findUser(identity)).toEqual(user);
      expect(await store.identities.findUser({ ...identity, issuer: 'https://other.example/' })).toBeNull();
      expect(await store.identities.findUser({ ...identity, subject: identity.subject.toUpperCase() })).toBeNull();
      expect(await store.identities.add(other.user.id, identity)).toBe(false);
      expect(await store.identities.add(user.id, newIdentity())).toBe(false);
      const elsewhere = newIdentity('https://other.example/');
      expect(await store.identities.add(user.id, elsewhere)).toBe(true);
      expect(await store.identities.list(user.id)).toEqual([
        { ...identity, createdAt: clock.now },
        { ...elsewhere, createdAt: clock.now },
      ]);
    });

    test('without an invitation or a team to join, nobody is created', async () => {
      const { teamId } = await makeForm();
      const user = newUser();
      await invite(teamId, newUser().email);
      const link = await invite(teamId, null);
      expect(await store.users.createInvited(user, newIdentity(), none)).toBe(false);
      clock.now += 2 * HOUR;
      expect(await store.users.createInvited(user, newIdentity(), { ...none, hash: link })).toBe(false);
      expect(await store.users.findByEmail(user.email)).toBeNull();
    });

    test('all invitations to an address are used up, with their roles, and leave out the team to join', async () => {
      const [first, second, third] = [await makeForm(), await makeForm(), await makeForm()];
      const user = newUser();
      await invite(first.teamId, user.email);
      clock.now += 1;
      await invite(first.teamId, user.email, 'editor');
      await invite(second.teamId, user.email);
      const link = await invite(third.teamId, null);
      const others = await invite(third.teamId, newUser().email);
      const join = { teamId: third.teamId, role: 'owner' } as const;
      expect(await store.users.createInvited(user, null, { hash: link, join })).toBe(true);
      const joined = (await store.users.listMemberships(user.id)).map(({ team, role }) => [team.id, role]);
      expect(joined.toSorted()).toEqual(
        [
          [first.teamId, 'editor'],
          [second.teamId, 'viewer'],
          [third.teamId, 'viewer'],
        ].toSorted(),
      );
      expect(await store.users.findLink(link)).toBeNull();
      expect(await store.users.findLink(others)).not.toBeNull();
      expect(await store.users.findByEmail(user.email)).toEqual({ ...user, passwordHash: null });
    });

    test('a taken address or identity creates nothing and keeps the invitation', async () => {
      const { teamId } = await makeForm();
      const { user, identity } = await makeUser(teamId);
      const link = await invite(teamId, null);
      const again = newUser(user.email);
      expect(store.users.createInvited(again, newIdentity(), { ...none, hash: link })).rejects.toThrow(
        'already exists',
      );
      const other = newUser();
      const taken = store.users.createInvited(other, identity, { ...none, hash: link });
      expect(taken).rejects.toThrow('belongs to another user');
      await taken.catch(() => {});
      expect(await store.users.findByEmail(other.email)).toBeNull();
      expect(await store.users.findLink(link)).not.toBeNull();
    });

    test('removing an identity ends the other sessions, and deleting the user removes it', async () => {
      const { teamId } = await makeForm();
      const { user, identity } = await makeUser(teamId);
      const times = { passwordAt: clock.now, createdAt: clock.now, lastUsedAt: clock.now, expiresAt: clock.now + HOUR };
      const proof = { isPending: false, method: 'oidc', isMultiFactor: true } as const;
      const begin = async () => {
        const id = newId('ses');
        const session = { id, userId: user.id, teamId: null, ...proof, address: '', browser: '', ...times };
        await store.sessions.create(id, session);
        return session;
      };
      const [kept, other] = [await begin(), await begin()];
      expect(await store.sessions.find(kept.id)).toMatchObject({ session: kept, hasPassword: false });
      expect(await store.identities.remove(user.id, 'https://other.example/', kept.id)).toBe(false);
      expect(await store.sessions.find(other.id)).not.toBeNull();
      expect(await store.identities.remove(user.id, identity.issuer, kept.id)).toBe(true);
      expect([await store.sessions.find(kept.id), await store.sessions.find(other.id)]).toEqual([
        expect.anything(),
        null,
      ]);
      expect(await store.identities.add(user.id, identity)).toBe(true);
      expect(await store.members.deleteUser(user.id)).toEqual([]);
      expect(await store.identities.findUser(identity)).toBeNull();
      expect(await store.identities.list(user.id)).toEqual([]);
    });

    test('a reset link signs in once and ends the others', async () => {
      const { teamId } = await makeForm();
      const { user } = await makeUser(teamId);
      const links = [newId('reset'), newId('reset')] as const;
      for (const hash of links) {
        const times = { createdAt: clock.now, expiresAt: clock.now + HOUR };
        const empty = { teamId: null, role: null, email: null, newEmail: null, createdBy: null };
        await store.users.createLink(hash, { userId: user.id, ...empty, ...times });
      }
      const invitation = await invite(teamId, null);
      expect(await store.users.signInByLink(invitation)).toBeNull();
      const outcomes = await Promise.all([store.users.signInByLink(links[0]), store.users.signInByLink(links[0])]);
      expect(outcomes.filter((found) => found !== null)).toEqual([user]);
      expect(await store.users.signInByLink(links[1])).toBeNull();
      expect(await store.users.findLink(invitation)).not.toBeNull();
    });
  });
}
