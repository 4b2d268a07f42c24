import { afterAll, describe, expect, test } from 'bun:test';
import { type Engine, openFixture } from './fixture.ts';

/** Tests vault keys. */
export async function describeVaultKeys(engine: Engine): Promise<void> {
  const { store, clock, makeForm, submission, page } = await openFixture(engine);
  describe(`vault keys in ${engine.name}`, () => {
    afterAll(() => store.close());

    const list = async () => (await store.vaultKeys.list()).map(({ id, state }) => [id, state]);
    const key = (id: number) => ({ id, check: `check ${id}`, fingerprintKey: Buffer.from([id]) });

    test('adds only the first key on start', async () => {
      const first = await store.vaultKeys.addFirst({ id: 1, check: 'a' }, clock.now);
      expect(await store.vaultKeys.addFirst({ id: 2, check: 'b' }, clock.now)).toEqual(first);
      expect(first).toEqual([{ id: 1, check: 'a', state: 'current', fingerprintKey: null, createdAt: clock.now }]);
      expect(await store.vaultKeys.list()).toEqual(first);
    });

    test('one is current, and earlier ones are retiring until the rotation ends', async () => {
      await store.vaultKeys.activate(key(2), clock.now + 1);
      expect(await list()).toEqual([
        [1, 'retiring'],
        [2, 'current'],
      ]);
      expect((await store.vaultKeys.list())[1]?.fingerprintKey).toEqual(Buffer.from([2]));
      expect(await store.vaultKeys.endRotation(1)).toBe(false);
      expect(await store.vaultKeys.remove(1)).toBe(false);
      expect(await store.vaultKeys.endRotation(2)).toBe(true);
      await store.vaultKeys.activate(key(3), clock.now + 2);
      expect(await list()).toEqual([
        [1, 'unused'],
        [2, 'retiring'],
        [3, 'current'],
      ]);
      expect([
        await store.vaultKeys.remove(3),
        await store.vaultKeys.remove(2),
        await store.vaultKeys.remove(9),
      ]).toEqual([false, false, false]);
      expect(await store.vaultKeys.remove(1)).toBe(true);
    });

    test('other than the current one refuse their submissions', async () => {
      const place = await makeForm();
      const [stale, fresh] = [2, 3].map((keyId) => ({ ...submission(place), keyId }));
      const unknown = submission(place);
      const outcomes = await Promise.all([stale, fresh, unknown].map((sent) => store.queue.accept(sent ?? unknown)));
      expect(outcomes).toMatchObject([
        { outcome: 'stale key', keyId: 3 },
        { outcome: 'stored' },
        { outcome: 'stored' },
      ]);
      expect((await page(place))?.map(({ id }) => id)).toEqual([unknown.id, fresh?.id ?? '']);
    });

    test('an earlier one may become current again, but not another key with the same id', async () => {
      await store.vaultKeys.activate(key(2), clock.now + 3);
      expect(await list()).toEqual([
        [2, 'current'],
        [3, 'retiring'],
      ]);
      const twin = store.vaultKeys.activate({ ...key(3), check: 'of another' }, clock.now);
      await expect(twin).rejects.toThrow('same id');
      expect(await list()).toEqual([
        [2, 'current'],
        [3, 'retiring'],
      ]);
    });
  });
}
