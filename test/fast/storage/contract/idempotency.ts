import { afterAll, describe, expect, test } from 'bun:test';
import type { ApiRequest, NewSubmission } from '../../../../src/storage/records.ts';
import { type Engine, openFixture, type Place } from './fixture.ts';

/** Tests idempotency keys. */
export async function describeIdempotency(engine: Engine): Promise<void> {
  const { store, clock, makeForm, submission, used, page } = await openFixture(engine);
  describe(`idempotency keys in ${engine.name}`, () => {
    afterAll(() => store.close());

    const under = (place: Place, key: string, content = 'content') => ({
      ...submission(place),
      idempotency: { key, content },
    });
    const outcomes = async (...sent: NewSubmission[]) =>
      (await Promise.all(sent.map((each) => store.queue.accept(each)))).map(({ outcome }) => outcome);

    test('store one submission and tell equal from different content', async () => {
      const place = await makeForm();
      const sent = [under(place, 'k'), under(place, 'k'), under(place, 'k', 'other'), under(place, 'l')];
      expect(await outcomes(...sent)).toEqual(['stored', 'replayed', 'reused', 'stored']);
      expect(await outcomes(under(place, 'k'), under(place, 'k', 'other'))).toEqual(['replayed', 'reused']);
      expect([(await page(place))?.length, await used(place)]).toEqual([2, 2]);
    });

    test('can be checked before a submission is accepted', async () => {
      const place = await makeForm();
      const ask = (key: string, content: string) => store.idempotency.findReplay(place.form.id, { key, content });
      expect(await ask('k', 'content')).toBe('none');
      await outcomes(under(place, 'k'));
      expect([await ask('k', 'content'), await ask('k', 'other')]).toEqual(['same content', 'other content']);
    });

    test('are separate per form', async () => {
      const [place, elsewhere] = [await makeForm(), await makeForm()];
      expect(await outcomes(under(place, 'k'), under(elsewhere, 'k'))).toEqual(['stored', 'stored']);
    });

    test('expire after 24 hours, pruned or not', async () => {
      const place = await makeForm();
      const day = 24 * 60 * 60 * 1_000_000;
      await outcomes(under(place, 'k'));
      clock.now += day - 1;
      await store.idempotency.pruneExpired();
      expect(await outcomes(under(place, 'k', 'other'))).toEqual(['reused']);
      clock.now += 1;
      expect(await outcomes(under(place, 'k', 'other'))).toEqual(['stored']);
      clock.now += day;
      await store.idempotency.pruneExpired();
      expect(await outcomes(under(place, 'k'))).toEqual(['stored']);
    });

    test('recognize a replay at the cap, and a capped post stores no key', async () => {
      const place = await makeForm();
      await store.teams.update(place.teamId, { plan: 'hundred' });
      await outcomes(...Array.from({ length: 100 }, (_, index) => under(place, `k${index}`)));
      expect(await outcomes(under(place, 'k7'), under(place, 'new'))).toEqual(['replayed', 'capped']);
      expect(await store.idempotency.findReplay(place.form.id, { key: 'new', content: 'content' })).toBe('none');
    });

    test('of the management API are claimed once, answered or released, and expire', async () => {
      const contents = ['a', 'b', 'c'];
      const claims = await Promise.all(contents.map((content) => store.idempotency.claimRequest('id', content)));
      const content = contents[claims.indexOf(null)];
      const refused = { content, status: null, response: null } as ApiRequest;
      expect(claims.filter((claim) => claim !== null)).toEqual([refused, refused]);
      await store.idempotency.answerRequest('id', 201, Buffer.from('sealed'));
      const answered = { content, status: 201, response: Buffer.from('sealed') } as ApiRequest;
      expect(await store.idempotency.claimRequest('id', 'a')).toEqual(answered);
      clock.now += 24 * 60 * 60 * 1_000_000;
      expect(await store.idempotency.claimRequest('id', 'b')).toBeNull();
      await store.idempotency.releaseRequest('id');
      expect(await store.idempotency.claimRequest('id', 'c')).toBeNull();
    });
  });
}
