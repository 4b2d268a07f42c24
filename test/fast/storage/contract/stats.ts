import { afterAll, describe, expect, test } from 'bun:test';
import { MINUTE } from '../../../../src/lib/clock.ts';
import { type Engine, openGround } from './ground.ts';

/** Tests the figures of the whole store. */
export async function describeStats(engine: Engine): Promise<void> {
  const { store, clock, makeForm, submission } = await openGround(engine);
  describe(`figures of the store in ${engine.name}`, () => {
    afterAll(() => store.close());

    test('the last time that was given out is known, also when what had it is gone', async () => {
      const place = await makeForm();
      clock.now += MINUTE;
      const kept = submission(place);
      await store.acceptSubmission(kept);
      const found = await store.findSubmission(kept.id, place.teamId);
      expect((await store.readStats(0)).lastCreatedAt).toBe(found?.createdAt ?? 0);
      await store.deleteSubmission(kept.id, place.teamId);
      expect((await store.readStats(0)).lastCreatedAt).toBe(found?.createdAt ?? 0);
    });

    test('it is whole, of some size, and can be tried without a change', async () => {
      const before = await store.readStats(10);
      await store.probe();
      expect(await store.checkIntegrity()).toEqual([]);
      const after = await store.readStats(10);
      expect({ ...after, logBytes: 0 }).toEqual({ ...before, logBytes: 0 });
      expect(after.databaseBytes).toBeGreaterThan(0);
    });
  });
}
