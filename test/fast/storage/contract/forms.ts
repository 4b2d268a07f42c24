import { afterAll, describe, expect, test } from 'bun:test';
import { newShortId } from '../../../../src/domain/form.ts';
import { DAY } from '../../../../src/lib/clock.ts';
import { newId } from '../../../../src/lib/ids.ts';
import { type Engine, openFixture } from './fixture.ts';

/** Tests forms. */
export async function describeForms(engine: Engine): Promise<void> {
  const { store, clock, makeForm, submission } = await openFixture(engine);
  describe(`forms in ${engine.name}`, () => {
    afterAll(() => store.close());

    test('and other rows are not found by an id with U+0000', async () => {
      const { form, teamId } = await makeForm();
      const id = `${form.id}\0`;
      expect(await store.findForm(id, teamId)).toBeNull();
      expect(await store.findTeam(`${teamId}\0`)).toBeNull();
      expect(await store.findWorkspace(`${form.workspaceId}\0`)).toBeNull();
      expect(await store.findSubmission(id, teamId)).toBeNull();
      expect(await store.findWebhook(id)).toBeNull();
      expect(await store.findUserByEmail('\0')).toBeNull();
    });

    test('a form is found by id and by short id', async () => {
      const { form } = await makeForm();
      expect(await store.findPublicForm(form.id)).toEqual(form);
      expect(await store.findPublicForm(form.shortId)).toEqual(form);
      expect(await store.findPublicForm('frm_none')).toBeNull();
    });

    test('a taken short id is a conflict, and no form is created', async () => {
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

    test('an update changes only the given properties', async () => {
      const { form, teamId } = await makeForm();
      await Promise.all([store.updateForm(form.id, { name: 'New' }), store.updateForm(form.id, { isActive: false })]);
      expect(await store.findForm(form.id, teamId)).toEqual({ ...form, name: 'New', isActive: false });
    });

    test('a recipient is removed once with their conditions', async () => {
      const { form } = await makeForm();
      const when = [{ field: 'topic', is: 'sales' }];
      await store.updateForm(form.id, { notify: ['a@x.example', 'b@x.example'], notifyWhen: { 'a@x.example': when } });
      const removed = await Promise.all([1, 2].map(() => store.removeRecipient(form.id, 'a@x.example')));
      expect(removed.sort()).toEqual([false, true]);
      const { notify, notifyWhen } = (await store.findPublicForm(form.id)) ?? {};
      expect([notify, notifyWhen]).toEqual([['b@x.example'], {}]);
      expect(await store.removeRecipient('frm_none', 'b@x.example')).toBe(false);
    });

    test('archiving pauses a form, and activating it takes it out of the archive', async () => {
      const { form, teamId } = await makeForm();
      const change = async (changes: Parameters<typeof store.updateForm>[1]) => {
        const { isActive, archivedAt } = (await store.updateForm(form.id, changes, teamId)) ?? form;
        return { isActive, archivedAt };
      };
      expect(await change({ archivedAt: clock.now })).toEqual({ isActive: false, archivedAt: clock.now });
      expect(await change({ isActive: false })).toEqual({ isActive: false, archivedAt: clock.now });
      expect(await change({ isActive: true })).toEqual({ isActive: true, archivedAt: null });
      await change({ archivedAt: clock.now });
      expect(await change({ archivedAt: null })).toEqual({ isActive: false, archivedAt: null });
    });

    test('a form has at most one logo', async () => {
      const { form } = await makeForm();
      expect(await store.findFormLogo(form.id)).toBeNull();
      for (const image of [Buffer.from([1, 2]), Buffer.from([0, 255, 3])]) {
        await store.setFormLogo(form.id, { type: 'image/png', image });
        expect(await store.findFormLogo(form.id)).toEqual({ type: 'image/png', image });
      }
      await store.setFormLogo(form.id, null);
      expect(await store.findFormLogo(form.id)).toBeNull();
    });

    test('unread submissions of a form are counted up to 100', async () => {
      const place = await makeForm();
      await Promise.all(Array.from({ length: 102 }, () => store.acceptSubmission(submission(place))));
      expect((await store.formStats(place.teamId, clock.now)).get(place.form.id)?.unread).toBe(100);
    });

    test('form stats have the counts per day, the unread count and the last genuine arrival', async () => {
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
      const none = { genuine: 0, spam: 0 };
      const last = [
        { genuine: 0, spam: 1 },
        { genuine: 1, spam: 0 },
      ];
      expect(days).toEqual([...Array(28).fill(none), ...last]);
      expect(await store.formActivity(place.form.id)).toEqual({ unread: 3, lastArrival: lastArrival ?? null });
      expect(stats.get(quiet.id)).toEqual({ unread: 0, lastArrival: null, days: Array(30).fill(none) });
      expect(await store.countDays(place.form.id, clock.now, 3)).toEqual([none, ...last]);
      expect((await store.countDays(place.form.id, clock.now, 365)).filter(({ genuine }) => genuine > 0)).toHaveLength(
        3,
      );
      const [spam] = (await store.listRecentSubmissions(place.form.id, { onlySpam: true, limit: 1 })) ?? [];
      await store.markSubmission(spam?.id ?? '', false, null, []);
      expect((await store.countDays(place.form.id, clock.now, 2))[0]).toEqual({ genuine: 1, spam: 0 });
    });
  });
}
