import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { DEFAULT_SETTINGS, newShortId } from '../../src/domain/form.ts';
import { periodOf } from '../../src/domain/usage.ts';
import type { Clock, Micros } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import type { NewSubmission, Store } from '../../src/storage/store.ts';

/** A store on an empty database; opening the same one again must find what was kept. */
export type OpenStore = (clock: Clock, limitOf: (plan: string) => number | null) => Promise<Store>;

const JULY = Date.UTC(2026, 6, 1) * 1000;

/** What every implementation of the store must do, told by the interface alone. */
export function describeStore(name: string, open: OpenStore): void {
  describe(`the ${name} store`, () => {
    let now: Micros = JULY;
    let store: Store;
    beforeAll(async () => {
      store = await open(
        () => now,
        (plan) => (plan === 'hundred' ? 100 : null),
      );
    });
    afterAll(() => store.close());

    const makeForm = async () => {
      const teamId = newId('team');
      const workspaceId = newId('wsp');
      await store.createTeam({ id: teamId, name: 'Team', plan: 'pro', createdAt: now });
      await store.createWorkspace({ id: workspaceId, teamId, name: 'Workspace', createdAt: now });
      const form = {
        ...DEFAULT_SETTINGS,
        id: newId('frm'),
        shortId: newShortId(),
        workspaceId,
        name: 'Form',
        isActive: true,
        fields: [{ name: 'a', label: 'A', type: 'text', required: true }],
        createdAt: now,
      };
      await store.createForm(form);
      return { teamId, form };
    };
    type Place = Awaited<ReturnType<typeof makeForm>>;
    const submission = ({ form }: Place): NewSubmission => ({
      id: newId('sub'),
      formId: form.id,
      isSpam: false,
      payload: Buffer.from([0, 255, 1]),
      files: null,
      blobs: [],
      spamReasons: null,
      idempotency: null,
      challenge: null,
    });
    const used = ({ teamId }: Place) => store.countUsage(teamId, periodOf(now).start);
    const page = ({ teamId, form }: Place, before: Micros | null = null, limit = 1000) =>
      store.listSubmissions(teamId, form.id, { before, limit });

    test('the first team, workspace and form are made together, and only in a store without a team', async () => {
      const make = (name: string) => {
        const team = { id: newId('team'), name, plan: 'pro', createdAt: now };
        const workspace = { id: newId('wsp'), teamId: team.id, name, createdAt: now };
        const wanted = { workspaceId: workspace.id, name, isActive: true, ...DEFAULT_SETTINGS };
        const form = { ...wanted, id: newId('frm'), shortId: newShortId(), createdAt: now };
        return store.createFirstTeam(team, workspace, form);
      };
      expect(await Promise.all([make('First'), make('Second')])).toEqual([true, false]);
      const teams = await store.listTeams();
      expect(teams.map(({ name }) => name)).toEqual(['First']);
      expect((await store.listForms(teams[0]?.id ?? '')).map(({ name }) => name)).toEqual(['First']);
    });

    test('a form is found by id and by short id, however it is asked for', async () => {
      const { form } = await makeForm();
      expect(await store.findPublicForm(form.id)).toEqual(form);
      expect(await store.findPublicForm(form.shortId)).toEqual(form);
      expect(await store.findPublicForm('frm_none')).toBeNull();
    });

    test('a short id that is taken is a conflict, and nothing is made', async () => {
      const { teamId, form } = await makeForm();
      expect(store.createForm({ ...form, id: newId('frm') })).rejects.toMatchObject({ code: 'conflict' });
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

    test('a team is updated, listed and found', async () => {
      const { teamId } = await makeForm();
      expect(await store.updateTeam(teamId, { plan: 'free' })).toMatchObject({ name: 'Team', plan: 'free' });
      expect((await store.listTeams()).some(({ id }) => id === teamId)).toBe(true);
      expect(await store.updateTeam('team_none', { plan: 'free' })).toBeNull();
    });

    test('a key is found by its hash with the plan of its team, and keeps the time it was first revoked', async () => {
      const { teamId } = await makeForm();
      const times = { createdAt: now, expiresAt: null, revokedAt: null, lastUsedAt: null };
      const key = { id: newId('key'), teamId, name: 'Key', scope: 'read' as const, ...times };
      await store.createKey(key, `hash of ${key.id}`);
      expect(await store.findKey(`hash of ${key.id}`)).toEqual({ ...key, plan: 'pro' });
      expect(await store.findKey('another hash')).toBeNull();
      await store.recordKeyUse(new Map([[key.id, now + 5]]));
      await store.revokeKey(key.id, now + 7);
      await store.revokeKey(key.id, now + 9);
      expect(await store.listKeys(teamId)).toEqual([{ ...key, revokedAt: now + 7, lastUsedAt: now + 5 }]);
    });

    test('an accepted submission is there, byte for byte, and counted', async () => {
      const place = await makeForm();
      const sent = submission(place);
      const kept = await store.acceptSubmission(sent);
      expect(kept).toMatchObject({ outcome: 'stored' });
      const found = await store.findSubmission(sent.id, place.teamId);
      expect(found).toMatchObject({ id: sent.id, formId: place.form.id, isSpam: false });
      expect(Buffer.from(found?.payload ?? [])).toEqual(Buffer.from([0, 255, 1]));
      expect(await used(place)).toBe(1);
    });

    test('times are strictly increasing while the clock stands still or steps back', async () => {
      const place = await makeForm();
      const accept = async () => {
        const kept = await store.acceptSubmission(submission(place));
        return kept.outcome === 'stored' ? kept.createdAt : 0;
      };
      const times: Micros[] = await Promise.all([accept(), accept(), accept()]);
      now -= 3_600_000_000;
      times.push(await accept());
      now = JULY;
      expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
    });

    test('a time is not given out again after its submission was deleted', async () => {
      const place = await makeForm();
      const sent = submission(place);
      const kept = await store.acceptSubmission(sent);
      await store.deleteSubmission(sent.id, place.teamId);
      const next = await store.acceptSubmission(submission(place));
      if (kept.outcome !== 'stored' || next.outcome !== 'stored') throw new Error('not stored');
      expect(next.createdAt).toBeGreaterThan(kept.createdAt);
    });

    test('at the limit nothing more is kept or counted', async () => {
      const place = await makeForm();
      await store.updateTeam(place.teamId, { plan: 'hundred' });
      const outcomes = await Promise.all(Array.from({ length: 1000 }, () => store.acceptSubmission(submission(place))));
      expect(outcomes.filter(({ outcome }) => outcome === 'stored').length).toBe(100);
      expect(outcomes.find(({ outcome }) => outcome === 'capped')).toEqual({
        outcome: 'capped',
        periodEnd: periodOf(JULY).end,
      });
      expect((await page(place))?.length).toBe(100);
      expect(await used(place)).toBe(100);
    });

    test('a paused form keeps nothing', async () => {
      const place = await makeForm();
      await store.updateForm(place.form.id, { isActive: false });
      expect(await store.acceptSubmission(submission(place))).toEqual({ outcome: 'paused' });
      expect([await page(place), await used(place)]).toEqual([[], 0]);
    });

    test('one submission that cannot be kept does not fail those beside it', async () => {
      const place = await makeForm();
      const first = submission(place);
      const twin = submission(place);
      const results = await Promise.allSettled([first, twin, twin, submission(place)].map(store.acceptSubmission));
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
      expect((await page(place))?.length).toBe(3);
      expect(await used(place)).toBe(3);
    });

    test('pages go from the newest to the oldest, each row once', async () => {
      const place = await makeForm();
      await Promise.all(Array.from({ length: 10 }, () => store.acceptSubmission(submission(place))));
      const all = (await page(place)) ?? [];
      const older = await page(place, all[3]?.createdAt ?? 0, 4);
      expect(older).toEqual(all.slice(4, 8));
      expect(all.map(({ createdAt }) => createdAt)).toEqual(
        all.map(({ createdAt }) => createdAt).sort((a, b) => b - a),
      );
    });

    test('a deleted submission is gone, its unit is not given back, and a stranger cannot delete it', async () => {
      const place = await makeForm();
      const stranger = await makeForm();
      const sent = submission(place);
      await store.acceptSubmission(sent);
      expect(await store.deleteSubmission(sent.id, stranger.teamId)).toBeNull();
      expect(await store.deleteSubmission(sent.id, place.teamId)).toEqual([]);
      expect(await store.deleteSubmission(sent.id, place.teamId)).toBeNull();
      expect([await page(place), await used(place)]).toEqual([[], 1]);
    });

    test('blobs belong to a submission until it is deleted, which tells their names', async () => {
      const place = await makeForm();
      const sent = { ...submission(place), files: Buffer.from([7]), blobs: [newId('a'), newId('b')] };
      const other = newId('c');
      await store.acceptSubmission(sent);
      expect((await store.findSubmission(sent.id, place.teamId))?.files).toEqual(Buffer.from([7]));
      expect(await store.findOrphans([...sent.blobs, other])).toEqual([other]);
      expect((await store.deleteSubmission(sent.id, place.teamId))?.toSorted()).toEqual(sent.blobs);
      expect(await store.findOrphans([...sent.blobs, other])).toEqual([...sent.blobs, other]);
    });

    test('a blob has one submission: a second that claims it is not kept, and its neighbours are', async () => {
      const place = await makeForm();
      const blobs = [newId('a')];
      const sent = [{ ...submission(place), blobs }, { ...submission(place), blobs }, submission(place)];
      const results = await Promise.allSettled(sent.map((each) => store.acceptSubmission(each)));
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect((await page(place))?.length).toBe(2);
    });

    test('of posts that solved one challenge one is kept, and a post that is refused spends none', async () => {
      const place = await makeForm();
      await store.updateTeam(place.teamId, { plan: 'hundred' });
      const challenge = { id: newId('challenge'), expiresAt: now + 1 };
      const solved = () => ({ ...submission(place), challenge });
      await store.updateForm(place.form.id, { isActive: false });
      expect((await store.acceptSubmission(solved())).outcome).toBe('paused');
      await store.updateForm(place.form.id, { isActive: true });
      const outcomes = await Promise.all([solved(), solved(), solved()].map((each) => store.acceptSubmission(each)));
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(['stored', 'spent', 'spent']);
      await store.pruneExpired();
      expect((await store.acceptSubmission(solved())).outcome).toBe('spent');
      now += 1;
      await store.pruneExpired();
      expect((await store.acceptSubmission(solved())).outcome).toBe('stored');
      expect([(await page(place))?.length, await used(place)]).toEqual([2, 2]);
    });

    test('the newest of a form are listed, all or those flagged, and the flag can be set', async () => {
      const place = await makeForm();
      const sent = Array.from({ length: 4 }, (_, index) => ({ ...submission(place), isSpam: index % 2 === 1 }));
      for (const each of sent) await store.acceptSubmission(each);
      const list = async (onlySpam: boolean, limit = 10) =>
        (await store.listRecentSubmissions(place.form.id, { onlySpam, limit }))?.map(({ id }) => id);
      const [a, b, c, d] = sent.map(({ id }) => id);
      expect(await list(false)).toEqual([d, c, b, a] as string[]);
      expect(await list(true)).toEqual([d, b] as string[]);
      expect(await list(false, 1)).toEqual([d] as string[]);
      expect(await store.markSubmission(b ?? '', false)).toMatchObject({ id: b, isSpam: false });
      await store.markSubmission(c ?? '', true);
      expect(await list(true)).toEqual([d, c] as string[]);
      expect(await store.markSubmission('sub_none', true)).toBeNull();
      expect(await store.listRecentSubmissions('frm_none', { onlySpam: false, limit: 1 })).toBeNull();
    });

    describe('of posts under one idempotency key', () => {
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
        now += day - 1;
        await store.pruneExpired();
        expect(await outcomes(under(place, 'k', 'other'))).toEqual(['reused']);
        now += 1;
        expect(await outcomes(under(place, 'k', 'other'))).toEqual(['stored']);
        now += day;
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

    test('only the first vault key is noted', async () => {
      const first = await store.addFirstVaultKey({ id: 1, check: 'a' }, now);
      expect(await store.addFirstVaultKey({ id: 2, check: 'b' }, now)).toEqual(first);
      expect(await store.listVaultKeys()).toEqual([{ id: 1, check: 'a' }]);
    });
  });
}
