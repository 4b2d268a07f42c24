import { afterAll, describe, expect, test } from 'bun:test';
import { MINUTE } from '../../../../src/lib/clock.ts';
import { type Engine, openFixture } from './fixture.ts';

/** Tests the stats of the store. */
export async function describeStats(engine: Engine): Promise<void> {
  const { store, clock, makeForm, submission } = await openFixture(engine);
  describe(`stats of the store in ${engine.name}`, () => {
    afterAll(() => store.close());

    test('the last creation time is known even if its submission was deleted', async () => {
      const place = await makeForm();
      clock.now += MINUTE;
      const kept = submission(place);
      await store.acceptSubmission(kept);
      const found = await store.findSubmission(kept.id, place.teamId);
      expect((await store.readStats(0)).lastCreatedAt).toBe(found?.createdAt ?? 0);
      await store.deleteSubmission(kept.id, place.teamId);
      expect((await store.readStats(0)).lastCreatedAt).toBe(found?.createdAt ?? 0);
    });

    test('reports sizes and no damage, and a probe changes nothing', async () => {
      const before = await store.readStats(10);
      await store.probe();
      expect(await store.checkIntegrity()).toEqual([]);
      expect(await store.readDurability()).toEqual({
        machines: 1,
        says: 'acknowledged means on 1 machine',
        faults: [],
        isRefusing: false,
      });
      const after = await store.readStats(10);
      expect({ ...after, logBytes: 0 }).toEqual({ ...before, logBytes: 0 });
      expect(after.databaseBytes).toBeGreaterThan(0);
    });
  });
}
