import { afterAll, describe, expect, test } from 'bun:test';
import { MAX_PASSKEYS, type Passkey } from '../../../../src/domain/users/passkey.ts';
import { HOUR } from '../../../../src/lib/clock.ts';
import { newId } from '../../../../src/lib/ids.ts';
import { type Engine, openFixture } from './fixture.ts';

/** Tests passkeys. */
export async function describePasskeys(engine: Engine): Promise<void> {
  const { store, clock, makeForm, makeMember } = await openFixture(engine);
  const challenge = () => ({ id: newId('challenge'), expiresAt: clock.now + HOUR });
  const makeUser = async () => makeMember((await makeForm()).teamId, 'owner');
  const passkeyOf = (userId: string): Passkey => ({
    ...{ id: newId('pky'), userId, credentialId: newId('credential'), publicKey: 'AP8B', counter: 0 },
    ...{ name: 'Laptop', createdAt: clock.now, lastUsedAt: clock.now },
  });
  const add = async (userId: string) => {
    const passkey = passkeyOf(userId);
    expect(await store.passkeys.add(passkey, challenge())).toBe('added');
    return passkey;
  };
  const begin = async (userId: string) => {
    const id = newId('ses');
    const times = { createdAt: clock.now, lastUsedAt: clock.now, expiresAt: clock.now + HOUR };
    const from = { address: '', browser: '', method: 'passkey', isMultiFactor: true } as const;
    await store.sessions.create(id, { id, userId, teamId: null, isPending: false, passwordAt: 0, ...from, ...times });
    return id;
  };
  const isThere = async (session: string) => (await store.sessions.find(session)) !== null;

  describe(`passkeys in ${engine.name}`, () => {
    afterAll(() => store.close());

    test('are found by their credential, listed, and go with their user', async () => {
      const [user, other] = [await makeUser(), await makeUser()];
      const session = await begin(user.id);
      expect(await store.sessions.find(session)).toMatchObject({ hasPassword: true, hasPasskey: false });
      const [first, second] = [await add(user.id), await add(user.id)];
      expect(await store.sessions.find(session)).toMatchObject({ hasPasskey: true, session: { isMultiFactor: true } });
      const found = await store.passkeys.find(first.credentialId);
      expect(found).toEqual({ passkey: first, user });
      expect((await store.passkeys.list(user.id)).map(({ id }) => id)).toEqual([first.id, second.id]);
      expect(await store.passkeys.find('none')).toBeNull();
      await store.members.add((await makeForm()).teamId, user.id, 'viewer');
      const { team } = (await store.users.listMemberships(user.id))[0] ?? {};
      await store.members.add(team?.id ?? '', other.id, 'owner');
      expect(await store.members.deleteUser(user.id)).toEqual([]);
      expect(await store.passkeys.list(user.id)).toEqual([]);
    });

    test('are added once per credential and challenge, up to a limit', async () => {
      const [user, other] = [await makeUser(), await makeUser()];
      const spent = challenge();
      const passkey = passkeyOf(user.id);
      const twice = await Promise.all([
        store.passkeys.add(passkey, spent),
        store.passkeys.add(passkeyOf(user.id), spent),
      ]);
      expect(twice.sort()).toEqual(['added', 'refused']);
      const { credentialId = '' } = (await store.passkeys.list(user.id))[0] ?? {};
      expect(await store.passkeys.add({ ...passkeyOf(other.id), credentialId }, challenge())).toBe('known');
      for (let count = 1; count < MAX_PASSKEYS; count++) await add(user.id);
      expect(await store.passkeys.add(passkeyOf(user.id), challenge())).toBe('too many');
      expect(
        [await store.passkeys.list(user.id), await store.passkeys.list(other.id)].map((all) => all.length),
      ).toEqual([MAX_PASSKEYS, 0]);
    });

    test('are used once per challenge, by a counter that grows or stays 0', async () => {
      const user = await makeUser();
      const { id } = await add(user.id);
      const spent = challenge();
      clock.now += 1;
      const twice = await Promise.all([store.passkeys.use(id, 0, spent), store.passkeys.use(id, 0, spent)]);
      expect(twice.sort()).toEqual(['refused', 'used']);
      expect((await store.passkeys.list(user.id))[0]?.lastUsedAt).toBe(clock.now);
      const uses = [];
      for (const counter of [0, 5, 5, 4, 0, 6]) uses.push(await store.passkeys.use(id, counter, challenge()));
      expect(uses).toEqual(['used', 'used', 'cloned', 'cloned', 'cloned', 'used']);
      const atOnce = await Promise.all([7, 7].map((counter) => store.passkeys.use(id, counter, challenge())));
      expect(atOnce.sort()).toEqual(['cloned', 'used']);
      expect((await store.passkeys.list(user.id))[0]?.counter).toBe(7);
      expect(await store.passkeys.use('none', 1, challenge())).toBe('refused');
    });

    test('replace a password where there are two, or one and a recovery code; the last one stays then', async () => {
      const user = await makeUser();
      const [kept, other] = [await begin(user.id), await begin(user.id)];
      const hash = async () => (await store.users.findByEmail(user.email))?.passwordHash;
      expect(await store.passkeys.removePassword(user.id, kept)).toBe(false);
      const [first, stranger] = [await add(user.id), await add((await makeUser()).id)];
      expect(await store.passkeys.removePassword(user.id, kept)).toBe(false);
      expect([await hash(), await isThere(other)]).toEqual(['hash', true]);
      const second = await add(user.id);
      expect(await store.passkeys.removePassword(user.id, kept)).toBe(true);
      expect([await hash(), await isThere(kept), await isThere(other)]).toEqual([null, true, false]);
      expect((await store.sessions.find(kept))?.hasPassword).toBe(false);

      const later = await begin(user.id);
      const both = [first, second].map(({ id }) => store.passkeys.remove(user.id, id, kept));
      expect((await Promise.all(both)).sort()).toEqual([false, true]);
      expect([await isThere(kept), await isThere(later)]).toEqual([true, false]);
      expect(await store.passkeys.list(user.id)).toHaveLength(1);
      await store.users.setPassword(user.id, 'new hash', kept);
      await store.passkeys.remove(user.id, stranger.id, kept);
      expect(await store.passkeys.find(stranger.credentialId)).not.toBeNull();

      const factor = { secret: Buffer.from([1]), step: 1, codeHashes: ['a'] };
      await store.secondFactors.add(user.id, factor, kept);
      expect(await store.passkeys.removePassword(user.id, kept)).toBe(true);
      await store.users.setPassword(user.id, 'new hash', kept);
      await store.secondFactors.spendProof(user.id, { codeHash: 'a' });
      expect(await store.passkeys.removePassword(user.id, kept)).toBe(false);
      expect(await hash()).toBe('new hash');
      const [left] = await store.passkeys.list(user.id);
      expect(await store.passkeys.remove(user.id, left?.id ?? '', kept)).toBe(true);
    });
  });
}
