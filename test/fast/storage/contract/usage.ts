import { afterAll, describe, expect, test } from 'bun:test';
import { getPeriod } from '../../../../src/domain/usage.ts';
import { type Engine, JULY, openFixture } from './fixture.ts';

/** Tests usage. */
export async function describeUsage(engine: Engine): Promise<void> {
  const { store, makeForm, submission, used, page } = await openFixture(engine);
  describe(`usage in ${engine.name}`, () => {
    afterAll(() => store.close());

    test('at the limit of the plan, submissions are neither stored nor counted', async () => {
      const place = await makeForm();
      await store.teams.update(place.teamId, { plan: 'hundred' });
      const outcomes = await Promise.all(Array.from({ length: 1000 }, () => store.queue.accept(submission(place))));
      expect(outcomes.filter(({ outcome }) => outcome === 'stored').length).toBe(100);
      expect(outcomes.find(({ outcome }) => outcome === 'capped')).toEqual({
        outcome: 'capped',
        periodEnd: getPeriod(JULY).end,
      });
      expect((await page(place))?.length).toBe(100);
      expect(await used(place)).toBe(100);
    });

    test('a paused form stores nothing', async () => {
      const place = await makeForm();
      await store.forms.update(place.form.id, { isActive: false });
      expect(await store.queue.accept(submission(place))).toEqual({ outcome: 'paused' });
      expect([await page(place), await used(place)]).toEqual([[], 0]);
    });
  });
}
