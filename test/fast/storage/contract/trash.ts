import { afterAll, describe, expect, test } from 'bun:test';
import { TRASH_DAYS } from '../../../../src/domain/submissions/submission.ts';
import { DAY } from '../../../../src/lib/clock.ts';
import { type Engine, newWebhook, openFixture } from './fixture.ts';

/** Tests the trash of submissions and forms. */
export async function describeTrash(engine: Engine): Promise<void> {
  const { store, clock, makeForm, submission, page } = await openFixture(engine);
  type Place = Awaited<ReturnType<typeof makeForm>>;

  const accept = async (place: Place, parts: Partial<ReturnType<typeof submission>> = {}) => {
    const wanted = { ...submission(place), ...parts };
    await store.queue.accept(wanted);
    return wanted.id;
  };
  const countsOf = async ({ form }: Place) => {
    const count = async (state: 'genuine' | 'spam' | 'all' | 'trashed') => {
      const span = { formId: form.id, state, from: 0, until: Number.MAX_SAFE_INTEGER };
      return (await store.exports.estimate(span)).atMost;
    };
    return {
      genuine: await count('genuine'),
      spam: await count('spam'),
      all: await count('all'),
      trashed: await count('trashed'),
    };
  };

  describe(`the trash in ${engine.name}`, () => {
    afterAll(() => store.close());

    test('hides submissions from lists and counts until they are restored', async () => {
      const place = await makeForm();
      const [kept, moved] = [await accept(place), await accept(place)];
      expect(await store.trash.moveSubmissions([moved], place.teamId, clock.now)).toEqual([moved]);
      expect((await page(place))?.map(({ id }) => id)).toEqual([kept]);
      expect(await store.submissions.find(moved, place.teamId)).toBeNull();
      expect((await store.submissions.findStored(moved, place.teamId))?.trashedAt).toBe(clock.now);
      expect((await store.forms.readStats(place.teamId, clock.now)).get(place.form.id)?.unread).toBe(1);
      expect(await countsOf(place)).toEqual({ genuine: 1, spam: 0, all: 1, trashed: 1 });
      expect(await store.trash.moveSubmissions([moved], place.teamId, null)).toEqual([moved]);
      expect((await page(place))?.map(({ id }) => id)).toEqual([moved, kept]);
      expect(await countsOf(place)).toEqual({ genuine: 2, spam: 0, all: 2, trashed: 0 });
    });

    test('takes and returns submissions of the team only, each once', async () => {
      const [own, foreign] = [await makeForm(), await makeForm()];
      const ids = [await accept(own), await accept(foreign)];
      expect(await store.trash.moveSubmissions(ids, own.teamId, clock.now)).toEqual([ids[0] ?? '']);
      expect(await store.trash.moveSubmissions(ids, own.teamId, clock.now)).toEqual([]);
      expect(await store.trash.moveSubmissions(ids, foreign.teamId, null)).toEqual([]);
    });

    test('counts per day follow spam marks, the trash and deletions', async () => {
      const place = await makeForm();
      const [first, second, third] = [await accept(place), await accept(place, { isSpam: true }), await accept(place)];
      await store.submissions.mark(first, true, null, []);
      expect(await countsOf(place)).toEqual({ genuine: 1, spam: 2, all: 3, trashed: 0 });
      await store.trash.moveSubmissions([first, third], place.teamId, clock.now);
      expect(await countsOf(place)).toEqual({ genuine: 0, spam: 1, all: 1, trashed: 2 });
      await store.submissions.mark(first, false, null, []);
      await store.retention.deleteSubmission(second, place.teamId);
      expect(await countsOf(place)).toEqual({ genuine: 0, spam: 0, all: 0, trashed: 2 });
      await store.trash.moveSubmissions([first], place.teamId, null);
      expect(await countsOf(place)).toEqual({ genuine: 1, spam: 0, all: 1, trashed: 1 });
    });

    test('is emptied by age, and retention deletes from it too', async () => {
      const place = await makeForm();
      const ids = [await accept(place), await accept(place), await accept(place)];
      const [early = '', late = ''] = ids;
      await store.trash.moveSubmissions([early], place.teamId, clock.now);
      clock.now += DAY;
      await store.trash.moveSubmissions([late], place.teamId, clock.now);
      clock.now += (TRASH_DAYS - 1) * DAY + 1;
      expect((await store.retention.deleteTrashed(place.form.id, clock.now - TRASH_DAYS * DAY)).submissions).toBe(1);
      expect(await store.submissions.findStored(early, place.teamId)).toBeNull();
      expect(await store.retention.countOlder(place.form.id, clock.now, 9)).toBe(2);
      expect((await store.retention.deleteOlder(place.form.id, clock.now)).submissions).toBe(2);
      expect(await countsOf(place)).toEqual({ genuine: 0, spam: 0, all: 0, trashed: 0 });
    });

    test('takes a form with its submissions, accepts nothing for it, and gives it back', async () => {
      const place = await makeForm();
      const id = await accept(place);
      expect(await store.trash.moveForm(place.form.id, place.teamId, clock.now)).toBe(true);
      expect(await store.trash.moveForm(place.form.id, place.teamId, clock.now)).toBe(false);
      expect(await store.queue.accept(submission(place))).toEqual({ outcome: 'paused' });
      expect(await store.forms.findPublic(place.form.shortId)).toBeNull();
      expect(await store.forms.find(place.form.id, place.teamId)).toBeNull();
      expect(await store.submissions.find(id, place.teamId)).toBeNull();
      expect(await store.forms.list(place.teamId)).toEqual([]);
      expect((await store.forms.list(place.teamId, 'trashed')).map((form) => form.id)).toEqual([place.form.id]);
      expect(await store.trash.moveForm(place.form.id, 'team_other', null)).toBe(false);
      expect(await store.trash.moveForm(place.form.id, place.teamId, null)).toBe(true);
      expect((await store.submissions.find(id, place.teamId))?.id).toBe(id);
    });

    test('does not give back a form whose deletion has begun', async () => {
      const place = await makeForm();
      const { id } = place.form;
      expect(await store.trash.expireForm(id, place.teamId)).toBe(false);
      await store.trash.moveForm(id, place.teamId, clock.now);
      expect(await store.trash.expireForm(id, 'team_other')).toBe(false);
      expect(await store.trash.expireForm(id, place.teamId)).toBe(true);
      expect(await store.trash.moveForm(id, place.teamId, null)).toBe(false);
      expect(await store.trash.listExpiredForms(1, 10)).toContainEqual({ id, teamId: place.teamId });
    });

    test('deletes an empty form with its webhooks, and none that has submissions or is outside', async () => {
      const place = await makeForm();
      const { id } = place.form;
      await store.webhooks.create(newWebhook(place), 10);
      await accept(place);
      await store.retention.deleteOlder(id, Number.MAX_SAFE_INTEGER);
      await store.trash.deleteForm(id);
      expect(await store.forms.find(id, place.teamId)).not.toBeNull();
      await accept(place);
      await store.trash.moveForm(id, place.teamId, clock.now);
      expect(await store.trash.listExpiredForms(clock.now + 1, 10)).toContainEqual({ id, teamId: place.teamId });
      await expect(store.trash.deleteForm(id)).rejects.toMatchObject({ code: 'conflict' });
      await store.retention.deleteOlder(id, Number.MAX_SAFE_INTEGER);
      await store.trash.deleteForm(id);
      expect(await store.forms.findStored(id)).toBeNull();
    });
  });
}
