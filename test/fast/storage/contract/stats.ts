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
      await store.queue.accept(kept);
      const found = await store.submissions.find(kept.id, place.teamId);
      expect((await store.upkeep.readStats(0)).lastCreatedAt).toBe(found?.createdAt ?? 0);
      await store.retention.deleteSubmission(kept.id, place.teamId);
      expect((await store.upkeep.readStats(0)).lastCreatedAt).toBe(found?.createdAt ?? 0);
    });

    test('reports sizes and no damage, and a probe changes nothing', async () => {
      const before = await store.upkeep.readStats(10);
      await store.queue.probe();
      expect(await store.upkeep.checkIntegrity()).toEqual([]);
      expect(await store.upkeep.readDurability()).toEqual({
        machines: 1,
        message: 'acknowledged means on 1 machine',
        faults: [],
        isRefusing: false,
      });
      const after = await store.upkeep.readStats(10);
      expect({ ...after, logBytes: 0 }).toEqual({ ...before, logBytes: 0 });
      expect(after.databaseBytes).toBeGreaterThan(0);
    });
  });
}
