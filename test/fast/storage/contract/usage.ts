import { afterAll, describe, expect, test } from 'bun:test';
import { getPeriod } from '../../../../src/domain/usage.ts';
import { DAY, HOUR } from '../../../../src/lib/clock.ts';
import { type Engine, JULY, openFixture } from './fixture.ts';

/** Tests usage. */
export async function describeUsage(engine: Engine): Promise<void> {
  const { store, clock, makeForm, submission, used, page } = await openFixture(engine);
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

    test('a form with a limit of submissions stores exactly as many, also over days', async () => {
      const place = await makeForm();
      await store.forms.update(place.form.id, { maxSubmissions: 7 });
      const accept = () => store.queue.accept(submission(place));
      for (let day = 0; day < 3; day++) {
        expect((await accept()).outcome).toBe('stored');
        clock.now += DAY;
      }
      const outcomes = (await Promise.all(Array.from({ length: 40 }, accept))).map(({ outcome }) => outcome);
      expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(4);
      expect(new Set(outcomes)).toEqual(new Set(['stored', 'no place']));
      expect(await store.forms.isFull({ id: place.form.id, maxSubmissions: 7 })).toBe(true);
      const [first] = (await page(place)) ?? [];
      await store.trash.moveSubmissions([first?.id ?? ''], place.teamId, clock.now);
      expect(await store.forms.isFull({ id: place.form.id, maxSubmissions: 7 })).toBe(false);
      expect([(await accept()).outcome, (await accept()).outcome]).toEqual(['stored', 'no place']);
    });

    test('an address is stored once per form, and again after the trash', async () => {
      const [place, other] = [await makeForm(), await makeForm()];
      const accept = (to: typeof place, address: string) => store.queue.accept({ ...submission(to), address });
      const outcomes = (await Promise.all(Array.from({ length: 10 }, () => accept(place, 'ada')))).map(
        ({ outcome }) => outcome,
      );
      expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1);
      expect((await accept(place, 'ada')).outcome).toBe('repeated');
      expect((await accept(other, 'ada')).outcome).toBe('stored');
      expect((await accept(place, 'bob')).outcome).toBe('stored');
      const ids = ((await page(place)) ?? []).map(({ id }) => id);
      await store.trash.moveSubmissions(ids, place.teamId, clock.now);
      expect((await accept(place, 'ada')).outcome).toBe('stored');
    });

    test('a form accepts within its opening hours', async () => {
      const place = await makeForm();
      const at = (offset: number) => new Date((clock.now + offset) / 1000).toISOString();
      const accept = async () => (await store.queue.accept(submission(place))).outcome;
      await store.forms.update(place.form.id, { opensAt: at(HOUR), closesAt: at(2 * HOUR) });
      expect(await accept()).toBe('not open');
      clock.now += HOUR;
      expect(await accept()).toBe('stored');
      clock.now += HOUR;
      expect(await accept()).toBe('closed');
      const wrong = store.forms.update(place.form.id, { opensAt: at(0) });
      await expect(wrong).rejects.toMatchObject({ code: 'invalid_input' });
    });

    test('a paused form stores nothing', async () => {
      const place = await makeForm();
      await store.forms.update(place.form.id, { isActive: false });
      expect(await store.queue.accept(submission(place))).toEqual({ outcome: 'paused' });
      expect([await page(place), await used(place)]).toEqual([[], 0]);
    });
  });
}
