import { afterAll, describe, expect, test } from 'bun:test';
import { newShortId } from '../../../../src/domain/forms/form.ts';
import { MINUTE, type Micros } from '../../../../src/lib/clock.ts';
import { newId } from '../../../../src/lib/ids.ts';
import { type Engine, openFixture } from './fixture.ts';

/** Tests the inbox. */
export async function describeInbox(engine: Engine): Promise<void> {
  const { store, clock, makeForm, submission } = await openFixture(engine);
  describe(`an inbox in ${engine.name}`, () => {
    afterAll(() => store.close());

    /** Creates two forms of a team and stores submissions alternately, oldest first. */
    const inbox = async () => {
      const first = await makeForm();
      const second = { ...first, form: { ...first.form, id: newId('frm'), shortId: newShortId() } };
      await store.forms.create(second.form);
      const kept: Array<{ id: string; at: Micros }> = [];
      for (const place of [first, second, first, first, second, second]) {
        const wanted = submission(place);
        const acceptance = await store.queue.accept(wanted);
        kept.push({ id: wanted.id, at: acceptance.outcome === 'stored' ? acceptance.createdAt : 0 });
      }
      const formIds = [first.form.id, second.form.id];
      const all = { formIds, part: 'inbox', from: null, until: null } as const;
      return { ...first, all, ids: kept.map(({ id }) => id), times: kept.map(({ at }) => at) };
    };
    const withUser = async () => {
      const place = await makeForm();
      const link = newId('link');
      const user = {
        id: newId('usr'),
        email: `${link}@example.com`,
        name: null,
        theme: null,
        language: null,
        timeZone: null,
        createdAt: clock.now,
      };
      await store.users.createLink(link, {
        teamId: place.teamId,
        userId: null,
        role: 'viewer',
        email: null,
        newEmail: null,
        createdBy: null,
        createdAt: clock.now,
        expiresAt: clock.now + MINUTE,
      });
      await store.users.createByLink(link, user, 'hash');
      return { ...place, user: user.id };
    };
    const LAST = Number.MAX_SAFE_INTEGER;

    test('lists all submissions outside the trash, and names the forms of those of a team', async () => {
      const { all, ids, times, teamId } = await inbox();
      const [first = '', second = '', third = ''] = ids;
      await store.inbox.markSpam([first], teamId);
      await store.trash.moveSubmissions([second], teamId, clock.now);
      const everything = await store.inbox.listTimes({ ...all, part: 'all' }, { before: LAST, limit: 9 });
      expect(everything).toEqual(times.filter((_, index) => index !== 1).toReversed());
      const forms = await store.submissions.findForms([first, second, third, 'sub_unknown'], teamId);
      expect(forms).toEqual(new Map([first, third].map((id) => [id, all.formIds[0] ?? ''])));
      expect(await store.submissions.findForms([first], (await makeForm()).teamId)).toEqual(new Map());
    });

    test('pages by time across forms, in both directions and within bounds', async () => {
      const { all, times } = await inbox();
      const [, second = 0, , fourth = 0, fifth = 0] = times;
      const newest = times.toReversed();
      expect(await store.inbox.listTimes(all, { before: LAST, limit: 4 })).toEqual(newest.slice(0, 4));
      expect(await store.inbox.listTimes(all, { before: newest[3] ?? 0, limit: 4 })).toEqual(newest.slice(4));
      expect(await store.inbox.listTimes(all, { after: second, limit: 2 })).toEqual(times.slice(2, 4));
      const bounded = { ...all, from: second, until: fifth };
      expect(await store.inbox.listTimes(bounded, { before: LAST, limit: 9 })).toEqual(newest.slice(2, 5));
      expect(await store.inbox.listTimes(bounded, { after: fourth, limit: 9 })).toEqual([]);
      expect(await store.inbox.listTimes({ ...all, formIds: [] }, { before: LAST, limit: 9 })).toEqual([]);
    });

    test('finds a submission by its time, and its neighbors', async () => {
      const { all, ids, times, teamId } = await inbox();
      const [first = 0, second = 0, third = 0] = times;
      const [found, next] = await store.inbox.findSubmissionsAt([third, first]);
      expect([found?.id, next?.id]).toEqual([ids[2], ids[0]]);
      expect(await store.inbox.findNeighbours(all, second)).toEqual({ newer: ids[2] ?? '', older: ids[0] ?? '' });
      expect(await store.inbox.findNeighbours(all, first)).toEqual({ newer: ids[1] ?? '', older: null });
      await store.retention.deleteSubmission(ids[2] ?? '', teamId);
      expect(await store.inbox.findSubmissionsAt([third])).toEqual([]);
      expect((await store.inbox.findNeighbours(all, second)).newer).toBe(ids[3] ?? '');
    });

    test('lists stars, assigned submissions and the trash, and counts them up to a limit', async () => {
      const { all, ids, times, teamId } = await inbox();
      const [first = '', second = '', third = ''] = ids;
      const stranger = await makeForm();
      expect(await store.inbox.setStarred([first, second], stranger.teamId, true)).toEqual([]);
      expect(await store.inbox.setStarred([first, second, 'sub_unknown'], teamId, true)).toEqual([first, second]);
      expect(await store.inbox.setStarred([second, third], teamId, true)).toEqual([third]);
      expect(await store.inbox.setStarred([third], teamId, false)).toEqual([third]);
      await store.trash.moveSubmissions([second], teamId, clock.now);
      const part = (part: 'starred' | 'assigned' | 'trash' | 'inbox') =>
        store.inbox.listTimes({ ...all, part, userId: 'usr_none' }, { after: 0, limit: 9 });
      expect(await part('starred')).toEqual(times.slice(0, 1));
      expect(await part('trash')).toEqual(times.slice(1, 2));
      expect(await part('assigned')).toEqual([]);
      expect(await part('inbox')).toEqual([...times.slice(0, 1), ...times.slice(2)]);
      expect(await store.inbox.count(all, 9)).toBe(5);
      expect(await store.inbox.count(all, 3)).toBe(3);
      expect(await store.inbox.count({ ...all, from: times[3] ?? 0, until: times[5] ?? 0 }, 9)).toBe(2);
      expect(await store.inbox.findIdsAt([times[2] ?? 0, 1, times[0] ?? 0])).toEqual([third, first]);
    });

    test('marks as spam what is genuine, outside the trash and of the team', async () => {
      const { ids, teamId } = await inbox();
      const [first = '', second = '', third = ''] = ids;
      await store.inbox.markSpam([first], teamId);
      await store.trash.moveSubmissions([second], teamId, clock.now);
      expect(await store.inbox.markSpam([first, second, third], (await makeForm()).teamId)).toEqual([]);
      expect(await store.inbox.markSpam([first, second, third], teamId)).toEqual([third]);
    });

    test('deletes submissions in the trash of the team only', async () => {
      const { ids, teamId } = await inbox();
      const [first = '', second = ''] = ids;
      await store.trash.moveSubmissions([first], teamId, clock.now);
      const stranger = await store.retention.deleteTrashedSubmissions([first], (await makeForm()).teamId);
      expect(stranger).toMatchObject({ submissions: 0, scanned: 1 });
      let deleted = 0;
      // A batch ends after some milliseconds, so a slow machine needs two.
      for (let rest = [first, second]; rest.length > 0; ) {
        const batch = await store.retention.deleteTrashedSubmissions(rest, teamId);
        deleted += batch.submissions;
        rest = rest.slice(batch.scanned);
      }
      expect(deleted).toBe(1);
      expect(await store.submissions.findStored(first, teamId)).toBeNull();
      expect(await store.submissions.find(second, teamId)).not.toBeNull();
    });

    test('keeps saved views by user and team, up to a limit', async () => {
      const { teamId, user } = await withUser();
      const view = (id: string) => ({ id, userId: user, teamId, view: Buffer.from(id), createdAt: clock.now });
      expect(await store.inboxPreferences.createView(view('view_1'), 2)).toBe(true);
      expect(await store.inboxPreferences.createView(view('view_2'), 2)).toBe(true);
      expect(await store.inboxPreferences.createView(view('view_3'), 2)).toBe(false);
      expect((await store.inboxPreferences.listViews(user, teamId)).map(({ id }) => id)).toEqual(['view_1', 'view_2']);
      expect(await store.inboxPreferences.listViews(user, (await makeForm()).teamId)).toEqual([]);
      expect(await store.inboxPreferences.deleteView('view_1', 'usr_other', teamId)).toBe(false);
      expect(await store.inboxPreferences.deleteView('view_1', user, teamId)).toBe(true);
      expect(await store.inboxPreferences.listViews(user, teamId)).toHaveLength(1);
      expect(await store.inboxPreferences.deleteView('view_2', user, teamId)).toBe(true);
    });

    test('keeps the layout of a form by user', async () => {
      const { form, user } = await withUser();
      expect(await store.inboxPreferences.findLayout(user, form.id)).toBeNull();
      await store.inboxPreferences.setLayout(user, form.id, { layout: 'table', columns: ['a'] });
      await store.inboxPreferences.setLayout(user, form.id, { layout: 'table', columns: ['b', 'a'] });
      expect(await store.inboxPreferences.findLayout(user, form.id)).toEqual({ layout: 'table', columns: ['b', 'a'] });
    });

    test('separates spam and unread, and only the own team marks as read', async () => {
      const { all, ids, times, teamId } = await inbox();
      const [first = '', second = '', third = ''] = ids;
      const stranger = await makeForm();
      expect(await store.inbox.markRead(ids, stranger.teamId, clock.now)).toEqual([]);
      expect(await store.inbox.markRead([first, second, 'sub_unknown'], teamId, clock.now)).toEqual([first, second]);
      expect(await store.inbox.markRead([first], teamId, clock.now + MINUTE)).toEqual([]);
      await store.inbox.markRead([second], teamId, null);
      await store.submissions.mark(third, true, [], []);
      const part = (part: 'inbox' | 'unread' | 'spam') =>
        store.inbox.listTimes({ ...all, part }, { after: 0, limit: 9 });
      expect(await part('spam')).toEqual(times.slice(2, 3));
      expect(await part('unread')).toEqual([...times.slice(1, 2), ...times.slice(3)]);
      expect(await part('inbox')).toEqual([...times.slice(0, 2), ...times.slice(3)]);
      expect(await store.inbox.countUnread(all.formIds, 9)).toBe(4);
      expect(await store.inbox.countUnread(all.formIds, 3)).toBe(3);
      expect((await store.submissions.find(first, teamId))?.readAt).toBe(clock.now);
      expect((await store.submissions.find(second, teamId))?.readAt).toBeNull();
    });
  });
}
