import { afterAll, describe, expect, test } from 'bun:test';
import { newShortId } from '../../../../src/domain/form.ts';
import { DAY } from '../../../../src/lib/clock.ts';
import { newId } from '../../../../src/lib/ids.ts';
import { type Engine, openGround } from './ground.ts';

/** Tests forms. */
export async function describeForms(engine: Engine): Promise<void> {
  const { store, clock, makeForm, submission } = await openGround(engine);
  describe(`forms in ${engine.name}`, () => {
    afterAll(() => store.close());

    test('a form is found by id and by short id, however it is asked for', async () => {
      const { form } = await makeForm();
      expect(await store.findPublicForm(form.id)).toEqual(form);
      expect(await store.findPublicForm(form.shortId)).toEqual(form);
      expect(await store.findPublicForm('frm_none')).toBeNull();
    });

    test('a short id that is taken is a conflict, and nothing is made', async () => {
      const { teamId, form } = await makeForm();
      await expect(store.createForm({ ...form, id: newId('frm') })).rejects.toMatchObject({ code: 'conflict' });
      expect(await store.listForms(teamId)).toEqual([form]);
    });

    test("another team's form is not found, listed or changed", async () => {
      const { form } = await makeForm();
      const stranger = await makeForm();
      expect(await store.findForm(form.id, stranger.teamId)).toBeNull();
      expect(await store.updateForm(form.id, { name: 'Mine' }, stranger.teamId)).toBeNull();
      expect(await store.listSubmissions(stranger.teamId, form.id, { before: null, limit: 1 })).toBeNull();
      expect((await store.findPublicForm(form.id))?.name).toBe('Form');
    });

    test('a change touches only what it names', async () => {
      const { form, teamId } = await makeForm();
      await Promise.all([store.updateForm(form.id, { name: 'New' }), store.updateForm(form.id, { isActive: false })]);
      expect(await store.findForm(form.id, teamId)).toEqual({ ...form, name: 'New', isActive: false });
    });

    test('the unread of a form are counted to 100', async () => {
      const place = await makeForm();
      await Promise.all(Array.from({ length: 102 }, () => store.acceptSubmission(submission(place))));
      expect((await store.formStats(place.teamId, clock.now)).get(place.form.id)?.unread).toBe(100);
    });

    test('the figures of forms tell what came on which day, what is unread and when the last one came', async () => {
      const place = await makeForm();
      const quiet = { ...place.form, id: newId('frm'), shortId: newShortId() };
      await store.createForm(quiet);
      const before = clock.now;
      for (const days of [0, 1, 30, 31]) {
        clock.now = before + days * DAY;
        await store.acceptSubmission({ ...submission(place), isSpam: days === 30 });
      }
      const stats = await store.formStats(place.teamId, clock.now);
      expect([...stats.keys()].sort()).toEqual([place.form.id, quiet.id].sort());
      const { unread, lastArrival, days } = stats.get(place.form.id) ?? {};
      expect(unread).toBe(3);
      expect(lastArrival).toBeGreaterThanOrEqual(clock.now);
      expect(days).toEqual([...Array(28).fill(0), 1, 1]);
      expect(stats.get(quiet.id)).toEqual({ unread: 0, lastArrival: null, days: Array(30).fill(0) });
    });
  });
}
