import { afterAll, describe, expect, test } from 'bun:test';
import { HOUR } from '../../../../src/lib/clock.ts';
import { newId } from '../../../../src/lib/ids.ts';
import type { SecondFactorProof } from '../../../../src/storage/records.ts';
import { type Engine, openFixture } from './fixture.ts';

/** Tests users, links, sessions and second factors. */
export async function describeUsers(engine: Engine): Promise<void> {
  const { store, clock, makeForm, makeMember } = await openFixture(engine);
  describe(`users and sessions in ${engine.name}`, () => {
    afterAll(() => store.close());

    test('a one-time link works once and only for its purpose', async () => {
      const { teamId } = await makeForm();
      const user = {
        id: newId('usr'),
        email: `${newId('a')}@x.example`,
        name: null,
        theme: null,
        language: null,
        timeZone: null,
        createdAt: clock.now,
      };
      const times = { createdAt: clock.now, expiresAt: clock.now + HOUR };
      const [welcome, reset] = [newId('welcome'), newId('reset')];
      await store.users.createLink(welcome, {
        teamId,
        userId: null,
        role: 'owner',
        email: null,
        newEmail: null,
        createdBy: null,
        ...times,
      });
      expect(await store.users.setPasswordByLink(welcome, 'hash')).toBeNull();
      expect(await store.users.createByLink(welcome, user, 'hash')).toBe(true);
      expect(await store.users.createByLink(welcome, user, 'hash')).toBe(false);

      await store.users.createLink(reset, {
        teamId: null,
        userId: user.id,
        role: null,
        email: null,
        newEmail: null,
        createdBy: null,
        ...times,
      });
      expect(await store.users.createByLink(reset, { ...user, id: newId('usr') }, 'hash')).toBe(false);
      expect(await store.users.setPasswordByLink(reset, 'new hash')).toEqual(user);
      expect(await store.users.setPasswordByLink(reset, 'newer hash')).toBeNull();
    });

    test('a link changes the email address of its user once, unless the address is taken', async () => {
      const { teamId } = await makeForm();
      const [{ id: mine }, { id: other }] = [await makeMember(teamId, 'owner'), await makeMember(teamId, 'viewer')];
      const before = (await store.users.find(mine))?.email ?? '';
      const linkTo = async (newEmail: string) => {
        const hash = newId('email');
        const times = { createdAt: clock.now, expiresAt: clock.now + HOUR };
        const none = { teamId: null, role: null, email: null, createdBy: null };
        await store.users.createLink(hash, { ...none, userId: mine, newEmail, ...times });
        return hash;
      };
      const to = `${newId('a')}@x.example`;
      const [earlier, link] = [await linkTo(`${newId('a')}@x.example`), await linkTo(to)];
      expect(await store.users.findLink(earlier)).toBeNull();
      expect(await store.users.setEmailByLink(link, other)).toBeNull();
      expect(await store.users.setPasswordByLink(link, 'hash')).toBeNull();
      expect(await store.users.setEmailByLink(link, mine)).toEqual({ from: before, to });
      expect(await store.users.setEmailByLink(link, mine)).toBeNull();
      expect((await store.users.find(mine))?.email).toBe(to);

      const taken = await linkTo((await store.users.find(other))?.email ?? '');
      const refused = store.users.setEmailByLink(taken, mine).catch((error) => error.code);
      expect(await refused).toBe('conflict');
      expect(await store.users.findLink(taken)).not.toBeNull();
      const late = await linkTo(`${newId('a')}@x.example`);
      clock.now += HOUR + 1;
      expect(await store.users.setEmailByLink(late, mine)).toBeNull();
    });

    test('setting a password deletes the reset links and other sessions of the user', async () => {
      const { teamId } = await makeForm();
      const user = {
        id: newId('usr'),
        email: `${newId('a')}@x.example`,
        name: null,
        theme: null,
        language: null,
        timeZone: null,
        createdAt: clock.now,
      };
      const times = { createdAt: clock.now, expiresAt: clock.now + HOUR };
      const [welcome, reset] = [newId('welcome'), newId('reset')];
      await store.users.createLink(welcome, {
        teamId,
        userId: null,
        role: 'owner',
        email: null,
        newEmail: null,
        createdBy: null,
        ...times,
      });
      await store.users.createByLink(welcome, user, 'hash');
      await store.users.createLink(reset, {
        teamId: null,
        userId: user.id,
        role: null,
        email: null,
        newEmail: null,
        createdBy: null,
        ...times,
      });
      const sessionOf = { userId: user.id, address: '', browser: '', lastUsedAt: clock.now, ...times };
      const [kept, other] = [newId('ses'), newId('ses')];
      for (const id of [kept, other])
        await store.sessions.create(id, {
          id,
          teamId: null,
          isPending: false,
          method: 'password' as const,
          isMultiFactor: false,
          passwordAt: 0,
          ...sessionOf,
        });
      expect(await store.sessions.renew('usr_none', kept, newId('ses'))).toBe(false);
      const renewed = newId('ses');
      expect(await store.sessions.renew(user.id, kept, renewed)).toBe(true);
      expect([await store.sessions.find(kept), (await store.sessions.find(renewed))?.session.id]).toEqual([null, kept]);
      await store.users.setPassword(user.id, 'new hash', kept);
      expect((await store.sessions.list(user.id, 10)).map(({ id }) => id)).toEqual([kept]);
      expect(await store.users.findLink(reset)).toBeNull();
      expect((await store.users.findByEmail(user.email))?.passwordHash).toBe('new hash');
    });

    test('deleting a user removes their sessions and links, unless they are the only owner of a team', async () => {
      const [mine, theirs] = [await makeForm(), await makeForm()];
      const user = await makeMember(mine.teamId, 'owner');
      await makeMember(mine.teamId, 'viewer');
      await store.members.add(theirs.teamId, user.id, 'viewer');
      const times = { createdAt: clock.now, expiresAt: clock.now + HOUR };
      const [session, reset] = [newId('ses'), newId('reset')];
      const at = { address: '', browser: '', lastUsedAt: clock.now, ...times };
      await store.sessions.create(session, {
        id: session,
        userId: user.id,
        teamId: null,
        isPending: false,
        method: 'password' as const,
        isMultiFactor: false,
        passwordAt: 0,
        ...at,
      });
      await store.users.createLink(reset, {
        teamId: null,
        userId: user.id,
        role: null,
        email: null,
        newEmail: null,
        createdBy: null,
        ...times,
      });

      expect((await store.members.deleteUser(user.id)).map(({ id }) => id)).toEqual([mine.teamId]);
      expect(await store.users.find(user.id)).toEqual(user);
      expect((await store.sessions.find(session))?.user).toEqual(user);

      const other = await makeMember(mine.teamId, 'owner');
      expect(await store.members.deleteUser(user.id)).toEqual([]);
      expect([await store.users.find(user.id), await store.sessions.find(session)]).toEqual([null, null]);
      expect(await store.users.findLink(reset)).toBeNull();
      const left = [...(await store.members.list(mine.teamId)), ...(await store.members.list(theirs.teamId))];
      expect(left.some(({ userId }) => userId === user.id)).toBe(false);
      expect((await store.members.deleteUser(other.id)).map(({ id }) => id)).toEqual([mine.teamId]);
    });

    test('deleting both owners of a team at once keeps one of them', async () => {
      const { teamId } = await makeForm();
      const owners = [await makeMember(teamId, 'owner'), await makeMember(teamId, 'owner')];
      await Promise.all(owners.map(({ id }) => store.members.deleteUser(id)));
      expect(await store.members.list(teamId)).toHaveLength(1);
    });

    describe('a second factor', () => {
      /** Creates a user, with functions that start a session and complete a second factor. */
      const makeUser = async () => {
        const { teamId } = await makeForm();
        const email = `${newId('a')}@x.example`;
        const user = {
          id: newId('usr'),
          email,
          name: null,
          theme: null,
          language: null,
          timeZone: null,
          createdAt: clock.now,
        };
        const times = { createdAt: clock.now, expiresAt: clock.now + HOUR };
        const welcome = newId('welcome');
        await store.users.createLink(welcome, {
          teamId,
          userId: null,
          role: 'owner',
          email: null,
          newEmail: null,
          createdBy: null,
          ...times,
        });
        await store.users.createByLink(welcome, user, 'hash');
        const sessionOf = (isPending: boolean) => ({
          id: newId('ses'),
          userId: user.id,
          teamId: null,
          isPending,
          method: 'password' as const,
          isMultiFactor: false,
          passwordAt: 0,
          address: '',
          browser: '',
          lastUsedAt: clock.now,
          ...times,
        });
        const begin = async (isPending = false) => {
          const session = sessionOf(isPending);
          await store.sessions.create(session.id, session);
          return session.id;
        };
        const pass = (pending: string, proof: SecondFactorProof) => {
          const session = sessionOf(false);
          return store.secondFactors.complete(pending, proof, session.id, session);
        };
        return { user, begin, pass };
      };
      const FACTOR = { secret: Buffer.from([0, 255, 1]), step: 100, codeHashes: ['a', 'b'] };
      const isThere = async (session: string) => (await store.sessions.find(session)) !== null;

      test('is added once and removed; both end all sessions or all but one', async () => {
        const { user, begin } = await makeUser();
        const [kept, other, pending] = [await begin(), await begin(), await begin(true)];
        expect(await store.secondFactors.find(user.id)).toBeNull();
        expect((await store.sessions.find(kept))?.hasSecondFactor).toBe(false);
        expect(await store.secondFactors.replaceCodes(user.id, ['c'], kept)).toBe(false);
        expect(await store.secondFactors.remove(user.id, kept)).toBe(false);
        expect(await isThere(other)).toBe(true);
        expect((await store.sessions.list(user.id, 10)).map(({ id }) => id)).not.toContain(pending);

        expect(await store.secondFactors.add(user.id, FACTOR, kept)).toBe(true);
        expect(await Promise.all([kept, other, pending].map(isThere))).toEqual([true, false, false]);
        const { secret, codesLeft } = (await store.secondFactors.find(user.id)) ?? { secret: [], codesLeft: 0 };
        expect([[...secret], codesLeft]).toEqual([[0, 255, 1], 2]);
        expect((await store.sessions.find(kept))?.hasSecondFactor).toBe(true);

        const later = await begin();
        expect(await store.secondFactors.add(user.id, { ...FACTOR, step: 1 }, kept)).toBe(false);
        expect(await isThere(later)).toBe(true);
        expect(await store.secondFactors.replaceCodes(user.id, ['c'], kept)).toBe(true);
        expect([await isThere(kept), await isThere(later)]).toEqual([true, false]);
        expect((await store.secondFactors.find(user.id))?.codesLeft).toBe(1);
        expect(await store.secondFactors.remove(user.id, null)).toBe(true);
        expect(await isThere(kept)).toBe(false);
        expect(await store.secondFactors.find(user.id)).toBeNull();
      });

      test('completes a pending session with a later time step or an unused recovery code, each once', async () => {
        const { user, begin, pass } = await makeUser();
        const kept = await begin();
        await store.secondFactors.add(user.id, FACTOR, kept);
        const passed = async (proof: SecondFactorProof) => {
          const pending = await begin(true);
          const isPassed = await pass(pending, proof);
          expect(await isThere(pending)).toBe(!isPassed);
          return isPassed;
        };
        const steps = [];
        for (const step of [99, 100, 101, 101, 100, 102]) steps.push(await passed({ step }));
        expect(steps).toEqual([false, false, true, false, false, true]);
        const codes = [];
        for (const codeHash of ['a', 'a', 'c', 'b']) codes.push(await passed({ codeHash }));
        expect(codes).toEqual([true, false, false, true]);
        expect((await store.secondFactors.find(user.id))?.codesLeft).toBe(0);
      });

      test('is not used up by a session that is complete, expired, missing or of another user', async () => {
        const { user, begin, pass } = await makeUser();
        const stranger = await makeUser();
        const kept = await begin();
        await store.secondFactors.add(user.id, FACTOR, kept);
        const pending = await begin(true);
        const theirs = await stranger.begin(true);
        for (const id of [kept, theirs, 'nothing']) expect(await pass(id, { step: 101 })).toBe(false);
        expect(await stranger.pass(pending, { step: 101 })).toBe(false);
        expect(await stranger.pass(theirs, { step: 101 })).toBe(false);
        clock.now += HOUR;
        expect(await pass(pending, { codeHash: 'a' })).toBe(false);
        expect((await store.secondFactors.find(user.id))?.codesLeft).toBe(2);
        expect(await pass(await begin(true), { step: 101 })).toBe(false);
        clock.now -= 1;
        expect(await pass(pending, { step: 101 })).toBe(true);
        clock.now -= HOUR - 1;
      });
    });
  });
}
