import { afterAll, describe, expect, test } from 'bun:test';
import { newShortId } from '../../../../src/domain/forms/form.ts';
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
      expect(await store.forms.find(id, teamId)).toBeNull();
      expect(await store.teams.find(`${teamId}\0`)).toBeNull();
      expect(await store.workspaces.find(`${form.workspaceId}\0`)).toBeNull();
      expect(await store.submissions.find(id, teamId)).toBeNull();
      expect(await store.webhooks.find(id)).toBeNull();
      expect(await store.users.findByEmail('\0')).toBeNull();
    });

    test('a form is found by id and by short id', async () => {
      const { form } = await makeForm();
      expect(await store.forms.findPublic(form.id)).toEqual(form);
      expect(await store.forms.findPublic(form.shortId)).toEqual(form);
      expect(await store.forms.findPublic('frm_none')).toBeNull();
    });

    test('a taken short id is a conflict, and no form is created', async () => {
      const { teamId, form } = await makeForm();
      await expect(store.forms.create({ ...form, id: newId('frm') })).rejects.toMatchObject({ code: 'conflict' });
      expect(await store.forms.list(teamId)).toEqual([form]);
    });

    test("another team's form is not found, listed or changed", async () => {
      const { form } = await makeForm();
      const stranger = await makeForm();
      expect(await store.forms.find(form.id, stranger.teamId)).toBeNull();
      expect(await store.forms.update(form.id, { name: 'Mine' }, stranger.teamId)).toBeNull();
      expect(await store.submissions.list(stranger.teamId, form.id, { before: null, limit: 1 })).toBeNull();
      expect((await store.forms.findPublic(form.id))?.name).toBe('Form');
    });

    test('an update changes only the given properties', async () => {
      const { form, teamId } = await makeForm();
      await Promise.all([
        store.forms.update(form.id, { name: 'New' }),
        store.forms.update(form.id, { isActive: false }),
      ]);
      expect(await store.forms.find(form.id, teamId)).toEqual({ ...form, name: 'New', isActive: false });
    });

    test('a recipient is removed once with their conditions', async () => {
      const { form } = await makeForm();
      const when = [{ field: 'topic', is: 'sales' }];
      await store.forms.update(form.id, {
        notify: ['a@x.example', 'b@x.example'],
        notifyWhen: { 'a@x.example': when },
      });
      const removed = await Promise.all([1, 2].map(() => store.forms.removeRecipient(form.id, 'a@x.example')));
      expect(removed.sort()).toEqual([false, true]);
      const { notify, notifyWhen } = (await store.forms.findPublic(form.id)) ?? {};
      expect([notify, notifyWhen]).toEqual([['b@x.example'], {}]);
      expect(await store.forms.removeRecipient('frm_none', 'b@x.example')).toBe(false);
    });

    test('archiving pauses a form, and activating it takes it out of the archive', async () => {
      const { form, teamId } = await makeForm();
      const change = async (changes: Parameters<typeof store.forms.update>[1]) => {
        const { isActive, archivedAt } = (await store.forms.update(form.id, changes, teamId)) ?? form;
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
      expect(await store.forms.findLogo(form.id)).toBeNull();
      for (const image of [Buffer.from([1, 2]), Buffer.from([0, 255, 3])]) {
        await store.forms.setLogo(form.id, { type: 'image/png', image });
        expect(await store.forms.findLogo(form.id)).toEqual({ type: 'image/png', image });
      }
      await store.forms.setLogo(form.id, null);
      expect(await store.forms.findLogo(form.id)).toBeNull();
    });

    test('unread submissions of a form are counted up to 100', async () => {
      const place = await makeForm();
      await Promise.all(Array.from({ length: 102 }, () => store.queue.accept(submission(place))));
      expect((await store.forms.readStats(place.teamId, clock.now)).get(place.form.id)?.unread).toBe(100);
    });

    test('form stats have the counts per day, the unread count and the last genuine arrival', async () => {
      const place = await makeForm();
      const quiet = { ...place.form, id: newId('frm'), shortId: newShortId() };
      await store.forms.create(quiet);
      const before = clock.now;
      for (const days of [0, 1, 30, 31]) {
        clock.now = before + days * DAY;
        await store.queue.accept({ ...submission(place), isSpam: days === 30 });
      }
      const stats = await store.forms.readStats(place.teamId, clock.now);
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
      expect(await store.forms.readActivity(place.form.id)).toEqual({ unread: 3, lastArrival: lastArrival ?? null });
      expect(stats.get(quiet.id)).toEqual({ unread: 0, lastArrival: null, days: Array(30).fill(none) });
      expect(await store.forms.countDays(place.form.id, clock.now, 3)).toEqual([none, ...last]);
      expect(
        (await store.forms.countDays(place.form.id, clock.now, 365)).filter(({ genuine }) => genuine > 0),
      ).toHaveLength(3);
      const [spam] = (await store.submissions.listRecent(place.form.id, { onlySpam: true, limit: 1 })) ?? [];
      await store.submissions.mark(spam?.id ?? '', false, null, []);
      expect((await store.forms.countDays(place.form.id, clock.now, 2))[0]).toEqual({ genuine: 1, spam: 0 });
    });
  });
}
