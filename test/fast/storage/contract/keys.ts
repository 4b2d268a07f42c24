import { afterAll, describe, expect, test } from 'bun:test';
import { newId } from '../../../../src/lib/ids.ts';
import { type Engine, openFixture } from './fixture.ts';

/** Tests API keys. */
export async function describeKeys(engine: Engine): Promise<void> {
  const { store, clock, makeForm } = await openFixture(engine);
  describe(`API keys in ${engine.name}`, () => {
    afterAll(() => store.close());

    test('an API key is found by its hash with the plan of its team, and keeps its first revocation time', async () => {
      const { teamId } = await makeForm();
      const times = { createdAt: clock.now, expiresAt: null, revokedAt: null, lastUsedAt: null };
      const key = {
        id: newId('key'),
        teamId,
        name: 'Key',
        scope: 'read' as const,
        formIds: null,
        createdBy: null,
        ...times,
      };
      await store.keys.create(key, `hash of ${key.id}`);
      expect(await store.keys.find(`hash of ${key.id}`)).toEqual({ ...key, plan: 'pro' });
      expect(await store.keys.find('another hash')).toBeNull();
      await store.keys.recordUse(new Map([[key.id, clock.now + 5]]));
      await store.keys.revoke(key.id, clock.now + 7);
      await store.keys.revoke(key.id, clock.now + 9);
      expect(await store.keys.list(teamId)).toEqual([{ ...key, revokedAt: clock.now + 7, lastUsedAt: clock.now + 5 }]);
    });
  });
}
