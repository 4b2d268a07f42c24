import { afterAll, describe, expect, test } from 'bun:test';
import { type Engine, openGround } from './ground.ts';

/** Tests vault keys. */
export async function describeVaultKeys(engine: Engine): Promise<void> {
  const { store, clock } = await openGround(engine);
  describe(`vault keys in ${engine.name}`, () => {
    afterAll(() => store.close());

    const list = async () => (await store.listVaultKeys()).map(({ id, state }) => [id, state]);
    const key = (id: number) => ({ id, check: `check ${id}`, fingerprintKey: Buffer.from([id]) });

    test('only the first is noted by a start', async () => {
      const first = await store.addFirstVaultKey({ id: 1, check: 'a' }, clock.now);
      expect(await store.addFirstVaultKey({ id: 2, check: 'b' }, clock.now)).toEqual(first);
      expect(first).toEqual([{ id: 1, check: 'a', state: 'current', fingerprintKey: null, createdAt: clock.now }]);
      expect(await store.listVaultKeys()).toEqual(first);
    });

    test('one is current, and those before it retire until nothing is sealed under them', async () => {
      await store.activateVaultKey(key(2), clock.now + 1);
      expect(await list()).toEqual([
        [1, 'retiring'],
        [2, 'current'],
      ]);
      expect((await store.listVaultKeys())[1]?.fingerprintKey).toEqual(Buffer.from([2]));
      expect(await store.endRotation(1)).toBe(false);
      expect(await store.removeVaultKey(1)).toBe(false);
      expect(await store.endRotation(2)).toBe(true);
      await store.activateVaultKey(key(3), clock.now + 2);
      expect(await list()).toEqual([
        [1, 'unused'],
        [2, 'retiring'],
        [3, 'current'],
      ]);
      expect([await store.removeVaultKey(3), await store.removeVaultKey(2), await store.removeVaultKey(9)]).toEqual([
        false,
        false,
        false,
      ]);
      expect(await store.removeVaultKey(1)).toBe(true);
    });

    test('one from before may become current again, but none with the id of another', async () => {
      await store.activateVaultKey(key(2), clock.now + 3);
      expect(await list()).toEqual([
        [2, 'current'],
        [3, 'retiring'],
      ]);
      const twin = store.activateVaultKey({ ...key(3), check: 'of another' }, clock.now);
      await expect(twin).rejects.toThrow('same id');
      expect(await list()).toEqual([
        [2, 'current'],
        [3, 'retiring'],
      ]);
    });
  });
}
