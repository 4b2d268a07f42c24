import { afterAll, describe, expect, test } from 'bun:test';
import type { Micros } from '../../../../src/lib/clock.ts';
import { newId } from '../../../../src/lib/ids.ts';
import { type Engine, JULY, openFixture } from './fixture.ts';

/** Tests submissions. */
export async function describeSubmissions(engine: Engine): Promise<void> {
  const { store, clock, makeForm, submission, used, page } = await openFixture(engine);
  describe(`submissions in ${engine.name}`, () => {
    afterAll(() => store.close());

    test('a flush stores all queued submissions', async () => {
      const place = await makeForm();
      const waiting = Array.from({ length: 3 }, () => store.queue.accept(submission(place)));
      await store.queue.flush();
      const kept = await store.submissions.list(place.teamId, place.form.id, { before: null, limit: 10 });
      expect(kept?.items).toHaveLength(3);
      expect((await Promise.all(waiting)).map(({ outcome }) => outcome)).toEqual(['stored', 'stored', 'stored']);
    });

    test('an accepted submission is stored byte for byte and counted', async () => {
      const place = await makeForm();
      const sent = submission(place);
      const kept = await store.queue.accept(sent);
      expect(kept).toMatchObject({ outcome: 'stored' });
      const found = await store.submissions.find(sent.id, place.teamId);
      expect(found).toMatchObject({ id: sent.id, formId: place.form.id, isSpam: false });
      expect(Buffer.from(found?.payload ?? [])).toEqual(Buffer.from([0, 255, 1]));
      expect(await used(place)).toBe(1);
    });

    test('possible spam is listed until it is marked, and is no spam', async () => {
      const place = await makeForm();
      const maybe = () => ({ ...submission(place), isMaybeSpam: true, spamReasons: Buffer.from('sealed') });
      const [first, second, third] = [maybe(), maybe(), maybe()];
      for (const one of [first, second, third]) await store.queue.accept(one);
      const listed = async (part: 'inbox' | 'maybe' | 'spam') =>
        store.inbox.count({ formIds: [place.form.id], part, from: null, until: null }, 10);
      expect([await listed('inbox'), await listed('maybe'), await listed('spam')]).toEqual([3, 3, 0]);
      expect(await store.submissions.find(first.id, place.teamId)).toMatchObject({ isSpam: false, isMaybeSpam: true });
      const genuine = await store.submissions.mark(first.id, false, [], []);
      expect(genuine).toMatchObject({ isSpam: false, isMaybeSpam: false, spamReasons: null });
      expect(await store.submissions.mark(second.id, true, [], [])).toMatchObject({ isSpam: true, isMaybeSpam: false });
      expect(await store.inbox.markSpam([third.id], place.teamId)).toEqual([third.id]);
      expect([await listed('inbox'), await listed('maybe'), await listed('spam')]).toEqual([1, 0, 2]);
    });

    test('creation times increase strictly while the clock stops or goes back', async () => {
      const place = await makeForm();
      const accept = async () => {
        const kept = await store.queue.accept(submission(place));
        return kept.outcome === 'stored' ? kept.createdAt : 0;
      };
      const times: Micros[] = await Promise.all([accept(), accept(), accept()]);
      clock.now -= 3_600_000_000;
      times.push(await accept());
      clock.now = JULY;
      expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    });

    test('the creation time of a deleted submission is not used again', async () => {
      const place = await makeForm();
      const sent = submission(place);
      const kept = await store.queue.accept(sent);
      await store.retention.deleteSubmission(sent.id, place.teamId);
      const next = await store.queue.accept(submission(place));
      if (kept.outcome !== 'stored' || next.outcome !== 'stored') throw new Error('not stored');
      expect(next.createdAt).toBeGreaterThan(kept.createdAt);
    });

    test('pages list every submission once, newest first', async () => {
      const place = await makeForm();
      await Promise.all(Array.from({ length: 10 }, () => store.queue.accept(submission(place))));
      const all = (await page(place)) ?? [];
      const older = await page(place, all[3]?.createdAt ?? 0, 4);
      expect(older).toEqual(all.slice(4, 8));
      expect(all.map(({ createdAt }) => createdAt)).toEqual(
        all.map(({ createdAt }) => createdAt).sort((a, b) => b - a),
      );
    });

    test('a page ends before the payload that exceeds its bytes, but has at least one submission', async () => {
      const place = await makeForm();
      for (const size of [10, 30, 20, 500]) {
        await store.queue.accept({ ...submission(place), payload: Buffer.alloc(size) });
      }
      const sizes = async (maxBytes: number, before: number | null = null) => {
        const found = await store.submissions.list(place.teamId, place.form.id, { before, limit: 10, maxBytes });
        return [found?.items.map(({ payload }) => payload.length), found?.hasMore];
      };
      const newest = (await page(place))?.[0]?.createdAt ?? 0;
      expect(await sizes(100)).toEqual([[500], true]);
      expect(await sizes(49, newest)).toEqual([[20], true]);
      expect(await sizes(50, newest)).toEqual([[20, 30], true]);
      expect(await sizes(60, newest)).toEqual([[20, 30, 10], false]);
    });

    test('deleting a submission does not reduce usage, and another team cannot delete it', async () => {
      const place = await makeForm();
      const stranger = await makeForm();
      const sent = submission(place);
      await store.queue.accept(sent);
      expect(await store.retention.deleteSubmission(sent.id, stranger.teamId)).toBeNull();
      expect(await store.retention.deleteSubmission(sent.id, place.teamId)).toEqual([]);
      expect(await store.retention.deleteSubmission(sent.id, place.teamId)).toBeNull();
      expect([await page(place), await used(place)]).toEqual([[], 1]);
    });

    test('blobs belong to a submission, and its deletion returns their names', async () => {
      const place = await makeForm();
      const sent = { ...submission(place), files: Buffer.from([7]), blobs: [newId('a'), newId('b')] };
      const other = newId('c');
      await store.queue.accept(sent);
      expect((await store.submissions.find(sent.id, place.teamId))?.files).toEqual(Buffer.from([7]));
      expect(await store.files.findOrphans([...sent.blobs, other])).toEqual([other]);
      expect((await store.retention.deleteSubmission(sent.id, place.teamId))?.toSorted()).toEqual(sent.blobs);
      expect(await store.files.findOrphans([...sent.blobs, other])).toEqual([...sent.blobs, other]);
    });

    test('the growth of files counts what a team received since a time and still has', async () => {
      const [place, stranger] = [await makeForm(), await makeForm()];
      const receive = async (fileBytes: number, of = place) => {
        const sent = { ...submission(of), fileBytes };
        await store.queue.accept(sent);
        return { ...sent, at: (await store.submissions.find(sent.id, of.teamId))?.createdAt ?? 0 };
      };
      const growth = (since: number) => store.usage.countFileGrowth(place.teamId, since);
      expect(await growth(0)).toBe(0);
      const [first, second] = [await receive(6_000_000_000), await receive(20)];
      await receive(0);
      await receive(1, stranger);
      expect([await growth(0), await growth(first.at), await growth(second.at)]).toEqual([
        6_000_000_020, 6_000_000_020, 20,
      ]);
      await store.retention.deleteSubmission(first.id, place.teamId);
      expect(await growth(0)).toBe(20);
    });

    test('a sample of blobs has those of the newest and the oldest submissions, without repeats', async () => {
      const place = await makeForm();
      for (const id of ['sub_0', 'sub_1']) {
        await store.queue.accept({ ...submission(place), blobs: [`${id} a`, `${id} b`] });
      }
      const ends = (await store.files.sample(1)).map((name) => name.slice(0, -2));
      expect(ends).toEqual(['sub_1', 'sub_0']);
      expect((await store.files.sample(2)).toSorted()).toEqual(['sub_0 a', 'sub_0 b', 'sub_1 a', 'sub_1 b']);
      const all = await store.files.sample(1_000);
      expect(all).toHaveLength(new Set(all).size);
    });

    test('a submission that claims the blob of another is not stored, unlike others of its group', async () => {
      const place = await makeForm();
      const blobs = [newId('a')];
      const sent = [{ ...submission(place), blobs }, { ...submission(place), blobs }, submission(place)];
      const results = await Promise.allSettled(sent.map((each) => store.queue.accept(each)));
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect((await page(place))?.length).toBe(2);
    });

    test('a challenge is accepted once, and a refused post does not spend it', async () => {
      const place = await makeForm();
      await store.teams.update(place.teamId, { plan: 'hundred' });
      const challenge = { id: newId('challenge'), expiresAt: clock.now + 1 };
      const solved = () => ({ ...submission(place), challenge });
      await store.forms.update(place.form.id, { isActive: false });
      expect((await store.queue.accept(solved())).outcome).toBe('paused');
      await store.forms.update(place.form.id, { isActive: true });
      const outcomes = await Promise.all([solved(), solved(), solved()].map((each) => store.queue.accept(each)));
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(['stored', 'spent', 'spent']);
      await store.idempotency.pruneExpired();
      expect((await store.queue.accept(solved())).outcome).toBe('spent');
      clock.now += 1;
      await store.idempotency.pruneExpired();
      expect((await store.queue.accept(solved())).outcome).toBe('stored');
      expect([(await page(place))?.length, await used(place)]).toEqual([2, 2]);
    });

    test('lists the newest submissions of a form, all or spam, and sets the spam flag', async () => {
      const place = await makeForm();
      const sent = Array.from({ length: 4 }, (_, index) => ({ ...submission(place), isSpam: index % 2 === 1 }));
      for (const each of sent) await store.queue.accept(each);
      const list = async (onlySpam: boolean, limit = 10) =>
        (await store.submissions.listRecent(place.form.id, { onlySpam, limit }))?.map(({ id }) => id);
      const [a, b, c, d] = sent.map(({ id }) => id);
      expect(await list(false)).toEqual([d, c, b, a] as string[]);
      expect(await list(true)).toEqual([d, b] as string[]);
      expect(await list(false, 1)).toEqual([d] as string[]);
      expect(await store.submissions.mark(b ?? '', false, [], [])).toMatchObject({ id: b, isSpam: false });
      await store.submissions.mark(c ?? '', true, [], []);
      expect(await list(true)).toEqual([d, c] as string[]);
      expect(await store.submissions.mark('sub_none', true, [], [])).toBeNull();
      expect(await store.submissions.listRecent('frm_none', { onlySpam: false, limit: 1 })).toBeNull();
    });
  });
}
