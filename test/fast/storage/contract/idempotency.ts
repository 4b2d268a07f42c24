import { afterAll, describe, expect, test } from 'bun:test';
import type { NewSubmission } from '../../../../src/storage/store.ts';
import { type Engine, openGround, type Place } from './ground.ts';

/** Tests idempotency keys. */
export async function describeIdempotency(engine: Engine): Promise<void> {
  const { store, clock, makeForm, submission, used, page } = await openGround(engine);
  describe(`posts under one idempotency key in ${engine.name}`, () => {
    afterAll(() => store.close());

    const under = (place: Place, key: string, content = 'content') => ({
      ...submission(place),
      idempotency: { key, content },
    });
    const outcomes = async (...sent: NewSubmission[]) =>
      (await Promise.all(sent.map((each) => store.acceptSubmission(each)))).map(({ outcome }) => outcome);

    test('one is kept, and the same content is told from another', async () => {
      const place = await makeForm();
      const sent = [under(place, 'k'), under(place, 'k'), under(place, 'k', 'other'), under(place, 'l')];
      expect(await outcomes(...sent)).toEqual(['stored', 'replayed', 'reused', 'stored']);
      expect(await outcomes(under(place, 'k'), under(place, 'k', 'other'))).toEqual(['replayed', 'reused']);
      expect([(await page(place))?.length, await used(place)]).toEqual([2, 2]);
    });

    test('what would be found can be asked before', async () => {
      const place = await makeForm();
      const ask = (key: string, content: string) => store.findReplay(place.form.id, { key, content });
      expect(await ask('k', 'content')).toBe('none');
      await outcomes(under(place, 'k'));
      expect([await ask('k', 'content'), await ask('k', 'other')]).toEqual(['same content', 'other content']);
    });

    test('another form knows nothing of it', async () => {
      const [place, elsewhere] = [await makeForm(), await makeForm()];
      expect(await outcomes(under(place, 'k'), under(elsewhere, 'k'))).toEqual(['stored', 'stored']);
    });

    test('it counts for 24 hours, pruned or not', async () => {
      const place = await makeForm();
      const day = 24 * 60 * 60 * 1_000_000;
      await outcomes(under(place, 'k'));
      clock.now += day - 1;
      await store.pruneExpired();
      expect(await outcomes(under(place, 'k', 'other'))).toEqual(['reused']);
      clock.now += 1;
      expect(await outcomes(under(place, 'k', 'other'))).toEqual(['stored']);
      clock.now += day;
      await store.pruneExpired();
      expect(await outcomes(under(place, 'k'))).toEqual(['stored']);
    });

    test('a replay of a post at the cap is one all the same, and a capped post leaves no key', async () => {
      const place = await makeForm();
      await store.updateTeam(place.teamId, { plan: 'hundred' });
      await outcomes(...Array.from({ length: 100 }, (_, index) => under(place, `k${index}`)));
      expect(await outcomes(under(place, 'k7'), under(place, 'new'))).toEqual(['replayed', 'capped']);
      expect(await store.findReplay(place.form.id, { key: 'new', content: 'content' })).toBe('none');
    });
  });
}
