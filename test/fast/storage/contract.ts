import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { AuditEntry } from '../../../src/domain/audit.ts';
import { DEFAULT_SETTINGS, newShortId } from '../../../src/domain/form.ts';
import type { NewMail, Summary } from '../../../src/domain/mail.ts';
import { periodOf } from '../../../src/domain/usage.ts';
import { type Clock, HOUR, MINUTE, type Micros } from '../../../src/lib/clock.ts';
import { newId } from '../../../src/lib/ids.ts';
import type {
  ClaimedMail,
  FactorProof,
  NewSubmission,
  SealedPointer,
  SealedRecord,
  Store,
} from '../../../src/storage/store.ts';

/** A store on an empty database that sends mails from a domain; opening the same one again must find what was kept. */
export type OpenStore = (clock: Clock, limitOf: (plan: string) => number | null) => Promise<Store>;

const DAY = 24 * HOUR;
const SENT = { state: 'sent' } as const;
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
      await store.createTeam({ id: teamId, name: 'Team', plan: 'pro', requiresSecondFactor: false, createdAt: now });
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
      mails: [],
    });
    const used = ({ teamId }: Place) => store.countUsage(teamId, periodOf(now).start);
    const page = ({ teamId, form }: Place, before: Micros | null = null, limit = 1000) =>
      store.listSubmissions(teamId, form.id, { before, limit });

    test('the first team, workspace and form are made together, and only in a store without a team', async () => {
      const make = (name: string) => {
        const team = { id: newId('team'), name, plan: 'pro', requiresSecondFactor: false, createdAt: now };
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

    test('what waits to be kept is kept once the store has settled it', async () => {
      const place = await makeForm();
      const waiting = Array.from({ length: 3 }, () => store.acceptSubmission(submission(place)));
      await store.settleSubmissions();
      const kept = await store.listSubmissions(place.teamId, place.form.id, { before: null, limit: 10 });
      expect(kept).toHaveLength(3);
      expect((await Promise.all(waiting)).map(({ outcome }) => outcome)).toEqual(['stored', 'stored', 'stored']);
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

    test('the unread of a form are counted to 100', async () => {
      const place = await makeForm();
      await Promise.all(Array.from({ length: 102 }, () => store.acceptSubmission(submission(place))));
      expect((await store.formStats(place.teamId, now)).get(place.form.id)?.unread).toBe(100);
    });

    test('a workspace is renamed by its own team alone', async () => {
      const { teamId, form } = await makeForm();
      const stranger = await makeForm();
      expect(await store.renameWorkspace(form.workspaceId, 'Mine', stranger.teamId)).toBe(false);
      expect(await store.renameWorkspace(form.workspaceId, 'New', teamId)).toBe(true);
      expect((await store.listWorkspaces(teamId)).map(({ name }) => name)).toEqual(['New']);
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

    test('a link works once, for what it was made for', async () => {
      const { teamId } = await makeForm();
      const user = {
        id: newId('usr'),
        email: `${newId('a')}@x.example`,
        language: null,
        timeZone: null,
        createdAt: now,
      };
      const times = { createdAt: now, expiresAt: now + HOUR };
      const [welcome, reset] = [newId('welcome'), newId('reset')];
      await store.createLink(welcome, { teamId, userId: null, role: 'owner', email: null, ...times });
      expect(await store.setPasswordByLink(welcome, 'hash')).toBeNull();
      expect(await store.createUserByLink(welcome, user, 'hash')).toBe(true);
      expect(await store.createUserByLink(welcome, user, 'hash')).toBe(false);

      await store.createLink(reset, { teamId: null, userId: user.id, role: null, email: null, ...times });
      expect(await store.createUserByLink(reset, { ...user, id: newId('usr') }, 'hash')).toBe(false);
      expect(await store.setPasswordByLink(reset, 'new hash')).toEqual(user);
      expect(await store.setPasswordByLink(reset, 'newer hash')).toBeNull();
    });

    /** Someone with an account in a team, under this role. */
    const makeMember = async (teamId: string, role: 'owner' | 'editor' | 'viewer') => {
      const id = newId('usr');
      const link = newId('link');
      const times = { createdAt: now, expiresAt: now + HOUR };
      await store.createLink(link, { teamId, userId: null, role, email: null, ...times });
      const user = { id, email: `${id}@x.example`, language: null, timeZone: null, createdAt: now };
      await store.createUserByLink(link, user, 'hash');
      return user;
    };

    test('a team is never left without an owner, also when several are taken from it at once', async () => {
      const { teamId } = await makeForm();
      const owners = [await makeMember(teamId, 'owner'), await makeMember(teamId, 'owner')];
      const taken = await Promise.allSettled([
        ...owners.map(({ id }) => store.changeRole(teamId, id, 'viewer')),
        ...owners.map(({ id }) => store.removeMember(teamId, id)),
      ]);
      expect(taken.some(({ status }) => status === 'rejected')).toBe(true);
      const left = await store.listMembers(teamId);
      expect(left.filter(({ role }) => role === 'owner')).toHaveLength(1);
      const last = left.find(({ role }) => role === 'owner')?.userId ?? '';
      const refused = store.removeMember(teamId, last).catch((error) => error.code);
      expect(await refused).toBe('conflict');
      expect(await store.listMembers(teamId)).toEqual(left);
      expect(await store.changeRole(teamId, last, 'owner')).toBe(true);
    });

    test('a user is deleted with all that lets them in, but not the only owner of a team', async () => {
      const [mine, theirs] = [await makeForm(), await makeForm()];
      const user = await makeMember(mine.teamId, 'owner');
      await makeMember(mine.teamId, 'viewer');
      await store.addMember(theirs.teamId, user.id, 'viewer');
      const times = { createdAt: now, expiresAt: now + HOUR };
      const [session, reset] = [newId('ses'), newId('reset')];
      const at = { address: '', browser: '', lastUsedAt: now, ...times };
      await store.createSession(session, { id: session, userId: user.id, teamId: null, isPending: false, ...at });
      await store.createLink(reset, { teamId: null, userId: user.id, role: null, email: null, ...times });

      expect((await store.deleteUser(user.id)).map(({ id }) => id)).toEqual([mine.teamId]);
      expect(await store.findUser(user.id)).toEqual(user);
      expect((await store.findSession(session))?.user).toEqual(user);

      const other = await makeMember(mine.teamId, 'owner');
      expect(await store.deleteUser(user.id)).toEqual([]);
      expect([await store.findUser(user.id), await store.findSession(session)]).toEqual([null, null]);
      expect(await store.findLink(reset)).toBeNull();
      const left = [...(await store.listMembers(mine.teamId)), ...(await store.listMembers(theirs.teamId))];
      expect(left.some(({ userId }) => userId === user.id)).toBe(false);
      expect((await store.deleteUser(other.id)).map(({ id }) => id)).toEqual([mine.teamId]);
    });

    test('two owners who are deleted at once leave one of them', async () => {
      const { teamId } = await makeForm();
      const owners = [await makeMember(teamId, 'owner'), await makeMember(teamId, 'owner')];
      await Promise.all(owners.map(({ id }) => store.deleteUser(id)));
      expect(await store.listMembers(teamId)).toHaveLength(1);
    });

    test('members are those of the team alone; who is not one is not changed or removed', async () => {
      const [mine, theirs] = [await makeForm(), await makeForm()];
      const owner = await makeMember(mine.teamId, 'owner');
      const stranger = await makeMember(theirs.teamId, 'owner');
      expect(await store.changeRole(mine.teamId, stranger.id, 'viewer')).toBe(false);
      expect(await store.removeMember(mine.teamId, stranger.id)).toBe(false);
      expect(await store.addMember(mine.teamId, stranger.id, 'viewer')).toBe(true);
      expect(await store.addMember(mine.teamId, stranger.id, 'owner')).toBe(false);
      const roles = (await store.listMembers(mine.teamId)).map(({ userId, role }) => `${userId} ${role}`);
      expect(roles.sort()).toEqual([`${owner.id} owner`, `${stranger.id} viewer`].sort());
    });

    test('an invitation is listed until it is used, revoked or over; its session shows the team', async () => {
      const [mine, theirs] = [await makeForm(), await makeForm()];
      const guest = await makeMember(theirs.teamId, 'owner');
      const invite = async (lasts: number) => {
        const hash = newId('hash');
        const times = { createdAt: now, expiresAt: now + lasts };
        await store.createLink(hash, {
          teamId: mine.teamId,
          userId: null,
          role: 'editor',
          email: 'a@x.example',
          ...times,
        });
        return hash;
      };
      const [used, revoked, over] = [await invite(HOUR), await invite(HOUR), await invite(0)];
      const open = async () => (await store.listInvitations(mine.teamId)).map(({ id }) => id);
      expect((await open()).sort()).toEqual([used, revoked].sort());
      expect((await store.listInvitations(mine.teamId))[0]).toMatchObject({ role: 'editor', email: 'a@x.example' });
      expect(await store.revokeInvitation(theirs.teamId, revoked)).toBe(false);
      expect(await store.revokeInvitation(mine.teamId, revoked)).toBe(true);
      expect(await store.revokeInvitation(mine.teamId, over)).toBe(false);
      expect(await store.joinByLink(over, guest.id)).toBeNull();
      expect(await store.joinByLink(used, guest.id)).toBe(mine.teamId);
      expect(await store.joinByLink(used, guest.id)).toBeNull();
      expect(await open()).toEqual([]);

      const again = await invite(HOUR);
      expect(await store.joinByLink(again, guest.id)).toBe(mine.teamId);
      expect(await open()).toEqual([again]);

      const session = { id: newId('ses'), userId: guest.id, teamId: null, isPending: false, address: '', browser: '' };
      const times = { createdAt: now, lastUsedAt: now, expiresAt: now + HOUR };
      await store.createSession(session.id, { ...session, ...times });
      const shownTeam = async () => (await store.findSession(session.id))?.session.teamId;
      expect(await store.chooseTeam(session.id, 'team_none')).toBe(false);
      expect(await store.chooseTeam(session.id, mine.teamId)).toBe(true);
      expect(await shownTeam()).toBe(mine.teamId);
      await makeMember(mine.teamId, 'owner');
      await store.removeMember(mine.teamId, guest.id);
      expect(await shownTeam()).toBeNull();
      expect(await store.chooseTeam(session.id, mine.teamId)).toBe(false);
    });

    test('a password is set with an end to all links and other sessions of its user', async () => {
      const { teamId } = await makeForm();
      const user = {
        id: newId('usr'),
        email: `${newId('a')}@x.example`,
        language: null,
        timeZone: null,
        createdAt: now,
      };
      const times = { createdAt: now, expiresAt: now + HOUR };
      const [welcome, reset] = [newId('welcome'), newId('reset')];
      await store.createLink(welcome, { teamId, userId: null, role: 'owner', email: null, ...times });
      await store.createUserByLink(welcome, user, 'hash');
      await store.createLink(reset, { teamId: null, userId: user.id, role: null, email: null, ...times });
      const sessionOf = { userId: user.id, address: '', browser: '', lastUsedAt: now, ...times };
      const [kept, other] = [newId('ses'), newId('ses')];
      for (const id of [kept, other])
        await store.createSession(id, { id, teamId: null, isPending: false, ...sessionOf });
      expect(await store.renewSession('usr_none', kept, newId('ses'))).toBe(false);
      const renewed = newId('ses');
      expect(await store.renewSession(user.id, kept, renewed)).toBe(true);
      expect([await store.findSession(kept), (await store.findSession(renewed))?.session.id]).toEqual([null, kept]);
      await store.setPassword(user.id, 'new hash', kept);
      expect((await store.listSessions(user.id, 10)).map(({ id }) => id)).toEqual([kept]);
      expect(await store.findLink(reset)).toBeNull();
      expect((await store.findUserByEmail(user.email))?.passwordHash).toBe('new hash');
    });

    describe('a second factor', () => {
      /** A user with a session that is kept, another one, and one that waits for the second factor. */
      const makeUser = async () => {
        const { teamId } = await makeForm();
        const email = `${newId('a')}@x.example`;
        const user = { id: newId('usr'), email, language: null, timeZone: null, createdAt: now };
        const times = { createdAt: now, expiresAt: now + HOUR };
        const welcome = newId('welcome');
        await store.createLink(welcome, { teamId, userId: null, role: 'owner', email: null, ...times });
        await store.createUserByLink(welcome, user, 'hash');
        const sessionOf = (isPending: boolean) => ({
          id: newId('ses'),
          userId: user.id,
          teamId: null,
          isPending,
          address: '',
          browser: '',
          lastUsedAt: now,
          ...times,
        });
        const begin = async (isPending = false) => {
          const session = sessionOf(isPending);
          await store.createSession(session.id, session);
          return session.id;
        };
        const pass = (pending: string, proof: FactorProof) => {
          const session = sessionOf(false);
          return store.passSecondFactor(pending, proof, session.id, session);
        };
        return { user, begin, pass };
      };
      const FACTOR = { secret: Buffer.from([0, 255, 1]), step: 100, codeHashes: ['a', 'b'] };
      const isThere = async (session: string) => (await store.findSession(session)) !== null;

      test('is added once and taken away, each with an end to all sessions but one, or all', async () => {
        const { user, begin } = await makeUser();
        const [kept, other, pending] = [await begin(), await begin(), await begin(true)];
        expect(await store.findSecondFactor(user.id)).toBeNull();
        expect((await store.findSession(kept))?.hasSecondFactor).toBe(false);
        expect(await store.replaceRecoveryCodes(user.id, ['c'], kept)).toBe(false);
        expect(await store.removeSecondFactor(user.id, kept)).toBe(false);
        expect(await isThere(other)).toBe(true);
        expect((await store.listSessions(user.id, 10)).map(({ id }) => id)).not.toContain(pending);

        expect(await store.addSecondFactor(user.id, FACTOR, kept)).toBe(true);
        expect(await Promise.all([kept, other, pending].map(isThere))).toEqual([true, false, false]);
        const { secret, codesLeft } = (await store.findSecondFactor(user.id)) ?? { secret: [], codesLeft: 0 };
        expect([[...secret], codesLeft]).toEqual([[0, 255, 1], 2]);
        expect((await store.findSession(kept))?.hasSecondFactor).toBe(true);

        const later = await begin();
        expect(await store.addSecondFactor(user.id, { ...FACTOR, step: 1 }, kept)).toBe(false);
        expect(await isThere(later)).toBe(true);
        expect(await store.replaceRecoveryCodes(user.id, ['c'], kept)).toBe(true);
        expect([await isThere(kept), await isThere(later)]).toEqual([true, false]);
        expect((await store.findSecondFactor(user.id))?.codesLeft).toBe(1);
        expect(await store.removeSecondFactor(user.id, null)).toBe(true);
        expect(await isThere(kept)).toBe(false);
        expect(await store.findSecondFactor(user.id)).toBeNull();
      });

      test('lets a pending session pass by a step later than the last, or a code that is there, each once', async () => {
        const { user, begin, pass } = await makeUser();
        const kept = await begin();
        await store.addSecondFactor(user.id, FACTOR, kept);
        const passed = async (proof: FactorProof) => {
          const pending = await begin(true);
          const isPassed = await pass(pending, proof);
          expect(await isThere(pending)).toBe(!isPassed);
          return isPassed;
        };
        const steps = [];
        for (const step of [99, 100, 101, 101, 100, 102]) steps.push(await passed({ step }));
        expect(steps).toEqual([false, false, true, false, false, true]);
        const codes = [];
        for (const codeHash of ['a', 'a', 'c', 'b']) codes.push(await passed({ codeHash }));
        expect(codes).toEqual([true, false, false, true]);
        expect((await store.findSecondFactor(user.id))?.codesLeft).toBe(0);
      });

      test('is not used up by a session that is whole, another’s, too old or not there', async () => {
        const { user, begin, pass } = await makeUser();
        const stranger = await makeUser();
        const kept = await begin();
        await store.addSecondFactor(user.id, FACTOR, kept);
        const pending = await begin(true);
        const theirs = await stranger.begin(true);
        for (const id of [kept, theirs, 'nothing']) expect(await pass(id, { step: 101 })).toBe(false);
        expect(await stranger.pass(pending, { step: 101 })).toBe(false);
        expect(await stranger.pass(theirs, { step: 101 })).toBe(false);
        now += HOUR;
        expect(await pass(pending, { codeHash: 'a' })).toBe(false);
        expect((await store.findSecondFactor(user.id))?.codesLeft).toBe(2);
        expect(await pass(await begin(true), { step: 101 })).toBe(false);
        now -= 1;
        expect(await pass(pending, { step: 101 })).toBe(true);
        now -= HOUR - 1;
      });
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
      expect(await store.markSubmission(b ?? '', false, [])).toMatchObject({ id: b, isSpam: false });
      await store.markSubmission(c ?? '', true, []);
      expect(await list(true)).toEqual([d, c] as string[]);
      expect(await store.markSubmission('sub_none', true, [])).toBeNull();
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

    describe('summaries', () => {
      const digesting = async () => {
        const place = await makeForm();
        await store.updateForm(place.form.id, { digest: 'hourly', notify: ['a@x.example', 'b@x.example'] });
        await sumUp(place);
        return place;
      };
      const sumUp = ({ form }: Place, digestUntil = now) =>
        store.sumUp([{ formId: form.id, digestUntil, heldBackUntil: now }]);
      const keep = async (place: Place, parts: Partial<NewSubmission> = {}) => {
        const sent = { ...submission(place), ...parts };
        await store.acceptSubmission(sent);
        return sent.id;
      };
      const mailsOf = async ({ form }: Place) =>
        (await store.listMails({ state: null, limit: 10_000 })).filter(({ formId }) => formId === form.id);
      const flagged = { isSpam: true, spamReasons: Buffer.from('sealed') };

      test('are queued once for each who is told, for what came in their time', async () => {
        const place = await digesting();
        now += HOUR;
        const [first, second] = [await keep(place), await keep(place)];
        await keep(place, flagged);
        now += HOUR;
        const queued = await Promise.all([sumUp(place), sumUp(place)]);
        expect(queued).toEqual([4, 0]);
        const mails = await mailsOf(place);
        expect(mails.map(({ kind, recipient }) => `${kind} ${recipient}`).sort()).toEqual([
          'digest a@x.example',
          'digest b@x.example',
          'held_back a@x.example',
          'held_back b@x.example',
        ]);
        const digest = mails.find(({ kind }) => kind === 'digest') as Summary;
        expect(await store.countSubmissionsOf(digest, 10)).toBe(2);
        expect(await store.countSubmissionsOf(digest, 1)).toBe(1);
        const page = (after: Micros) => store.listSubmissionsOf(digest, { after, limit: 1 });
        const [one] = await page(0);
        const [two] = await page(one?.createdAt ?? 0);
        expect([one?.id, two?.id, await page(two?.createdAt ?? 0)]).toEqual([first, second, []]);
      });

      test('are not queued where nothing came', async () => {
        const place = await digesting();
        now += HOUR;
        expect(await sumUp(place)).toBe(0);
        expect(await store.listSummedUp({ after: '', limit: 1_000 })).toContainEqual({
          id: place.form.id,
          digest: 'hourly',
          timeZone: 'UTC',
          digestedUntil: now,
          heldBackUntil: now,
        });
      });

      test('take the place of notifications, and of nothing else', async () => {
        const place = await digesting();
        const mail = (kind: NewMail['kind']) => ({
          id: newId('mail'),
          kind,
          recipient: null,
          addressee: kind,
          messageId: kind,
        });
        await keep(place, { mails: [mail('notification'), mail('auto_reply')] });
        expect((await mailsOf(place)).map(({ kind }) => kind)).toEqual(['auto_reply']);
      });

      test('tell of what came after the clock was set back, and of nothing twice', async () => {
        const place = await digesting();
        await keep(place);
        now += 5 * HOUR;
        await sumUp(place);
        now -= 3 * HOUR;
        await keep(place);
        expect(await sumUp(place, now - HOUR)).toBe(0);
        now += 4 * HOUR;
        expect(await sumUp(place)).toBe(2);
        const mails = (await mailsOf(place)) as Summary[];
        expect(await Promise.all(mails.map((mail) => store.countSubmissionsOf(mail, 10)))).toEqual([1, 1, 1, 1]);
      });
    });

    describe('mails', () => {
      // What another test left waiting would be claimed with one's own.
      beforeEach(async () => {
        await store.freeMails();
        for (const { id } of await store.listMails({ state: null, limit: 10_000 })) await store.retryMails({ id });
        await sendAll();
      });

      const toOwner = (): NewMail => {
        const id = newId('mail');
        return { id, kind: 'notification', recipient: 'o@x.example', addressee: null, messageId: `<${id}@x.example>` };
      };
      const toVisitor = (addressee: string): NewMail => ({
        ...toOwner(),
        kind: 'auto_reply',
        recipient: null,
        addressee,
      });
      /** The id of a submission that was accepted with them. */
      const post = async (place: Place, mails: readonly NewMail[], parts: Partial<NewSubmission> = {}) => {
        const sent = { ...submission(place), mails, ...parts };
        await store.acceptSubmission(sent);
        return sent.id;
      };
      /** One mail, due now. */
      const queue = async () => {
        const mail = toOwner();
        await post(await makeForm(), [mail]);
        return mail.id;
      };
      const claim = (limit = 1000) => store.claimMails(limit, MINUTE);
      const claimOne = async (): Promise<ClaimedMail> => {
        const [mail] = await claim(1);
        if (mail) return mail;
        throw new Error('nothing is due');
      };
      const sendAll = async () => {
        const mails = await claim();
        for (const { id, fence } of mails) await store.recordDelivery(id, fence, SENT);
        return mails;
      };
      const idsOf = (mails: readonly { id: string }[]) => mails.map(({ id }) => id).toSorted();
      const look = async (id: string) =>
        (await store.listMails({ state: null, limit: 10_000 })).find((mail) => mail.id === id);
      const words = Buffer.from('sealed words');

      test('are there with their submission, and only if it was kept', async () => {
        const place = await makeForm();
        const [mail, ofPaused] = [toOwner(), toOwner()];
        const submissionId = await post(place, [mail]);
        await store.updateForm(place.form.id, { isActive: false });
        await post(place, [ofPaused]);
        expect(await claim()).toEqual([
          expect.objectContaining({
            id: mail.id,
            kind: 'notification',
            formId: place.form.id,
            submissionId,
            recipient: 'o@x.example',
            messageId: mail.messageId,
            createdAt: now,
            failures: 0,
          }),
        ]);
      });

      test('are claimed once due, the oldest first, no more than wanted', async () => {
        const ids: string[] = [];
        for (let minute = 0; minute < 4; minute++) {
          ids.push(await queue());
          now += MINUTE;
        }
        const later = await claimOne();
        await store.recordDelivery(later.id, later.fence, { state: 'queued', dueAt: now + 1, reason: null });
        expect(later.id).toBe(ids[0] ?? '');
        expect(idsOf(await claim(2))).toEqual(ids.slice(1, 3));
        expect(idsOf(await claim())).toEqual(ids.slice(3));
        now += 1;
        expect(idsOf(await claim())).toEqual([later.id]);
      });

      test('that are claimed are no one else’s until the lease is over', async () => {
        await queue();
        const first = await claimOne();
        now += MINUTE - 1;
        expect(await claim()).toEqual([]);
        now += 1;
        const second = await claimOne();
        expect(second.id).toBe(first.id);
        expect(second.fence).toBeGreaterThan(first.fence);
        expect(await store.recordDelivery(first.id, first.fence, SENT)).toBe(false);
        expect(await look(first.id)).toMatchObject({ state: 'queued', settledAt: null });
        expect(await store.recordDelivery(second.id, second.fence, SENT)).toBe(true);
        expect(await look(first.id)).toMatchObject({ state: 'sent', settledAt: now });
      });

      test('are settled once', async () => {
        await queue();
        const { id, fence } = await claimOne();
        expect(await store.recordDelivery(id, fence, SENT)).toBe(true);
        expect(await store.recordDelivery(id, fence, { state: 'dead', reason: words })).toBe(false);
        expect((await look(id))?.state).toBe('sent');
      });

      test('that failed are counted and due when they are to be; given back, they are not counted', async () => {
        await queue();
        const first = await claimOne();
        await store.recordDelivery(first.id, first.fence, { state: 'retrying', dueAt: now + HOUR, reason: words });
        expect(await look(first.id)).toMatchObject({
          state: 'retrying',
          failures: 1,
          dueAt: now + HOUR,
          reason: words,
        });
        now += HOUR;
        const second = await claimOne();
        expect(second).toMatchObject({ id: first.id, failures: 1 });
        await store.recordDelivery(second.id, second.fence, { state: 'queued', dueAt: now, reason: null });
        const third = await claimOne();
        expect(third).toMatchObject({ id: first.id, failures: 1 });
        await store.recordDelivery(third.id, third.fence, { state: 'dead', reason: words });
        expect(await look(first.id)).toMatchObject({ state: 'dead', settledAt: now, reason: words });
        now += 10 * DAY;
        expect(await claim()).toEqual([]);
      });

      test('of a process before are due at once', async () => {
        const id = await queue();
        const before = await claimOne();
        await store.freeMails();
        expect(await store.recordDelivery(id, before.fence, SENT)).toBe(false);
        expect(idsOf(await claim())).toEqual([id]);
      });

      test('are due again when the clock was set back beyond any wait or lease', async () => {
        await queue();
        const first = await claimOne();
        now -= DAY;
        const second = await claimOne();
        expect(second.id).toBe(first.id);
        await store.recordDelivery(second.id, second.fence, {
          state: 'retrying',
          dueAt: now + 6 * HOUR,
          reason: words,
        });
        now -= 2 * DAY;
        expect(idsOf(await claim())).toEqual([first.id]);
        now += 3 * DAY;
      });

      test('that are asked for again are due as if never tried, except what was sent', async () => {
        const ids = [await queue(), await queue(), await queue()];
        const [a, b, c] = await claim();
        if (!a || !b || !c) throw new Error('not claimed');
        await store.recordDelivery(a.id, a.fence, { state: 'retrying', dueAt: now + HOUR, reason: words });
        await store.recordDelivery(b.id, b.fence, { state: 'dead', reason: words });
        await store.recordDelivery(c.id, c.fence, SENT);
        expect(await Promise.all([{ id: 'mail_none' }, { id: c.id }].map(store.retryMails))).toEqual([0, 0]);
        expect(await store.retryMails('dead')).toBe(1);
        expect(await store.retryMails({ id: a.id })).toBe(1);
        const fresh = { state: 'queued', failures: 0, dueAt: now, settledAt: null, reason: null };
        expect([await look(a.id), await look(b.id)]).toMatchObject([fresh, fresh]);
        expect(idsOf(await claim())).toEqual(ids.filter((id) => id !== c.id));
      });

      test('that are asked for again while they are on their way are not sent by another', async () => {
        await queue();
        const { id, fence } = await claimOne();
        expect(await store.retryMails({ id })).toBe(1);
        expect(await claim()).toEqual([]);
        expect(await store.recordDelivery(id, fence, SENT)).toBe(true);
      });

      test('are listed newest first, all or of one state', async () => {
        const ids = [await queue(), await queue(), await queue()];
        const [sent] = await claim(1);
        if (!sent) throw new Error('not claimed');
        await store.recordDelivery(sent.id, sent.fence, SENT);
        const list = async (state: 'queued' | 'sent' | null, limit: number) =>
          (await store.listMails({ state, limit })).map(({ id }) => id);
        expect(await list(null, 3)).toEqual(ids.toReversed());
        expect(await list('queued', 2)).toEqual(ids.filter((id) => id !== sent.id).toReversed());
        expect(await list('sent', 1)).toEqual([sent.id]);
      });

      test('are counted by state, a number at most, with the time since which the first is due', async () => {
        const counts = async (most: number) => Object.fromEntries((await store.measure(most)).mails);
        const before = await counts(10_000);
        const since = now;
        for (let mail = 0; mail < 5; mail++) await queue();
        now += MINUTE;
        const [a, b, c] = await claim(3);
        if (!a || !b || !c) throw new Error('not claimed');
        await store.recordDelivery(a.id, a.fence, { state: 'retrying', dueAt: now + HOUR, reason: words });
        await store.recordDelivery(b.id, b.fence, { state: 'dead', reason: words });
        await store.recordDelivery(c.id, c.fence, SENT);
        const { queued = 0, retrying = 0, sent = 0, dead = 0 } = before;
        expect(await counts(10_000)).toEqual({
          queued: queued + 2,
          retrying: retrying + 1,
          sent: sent + 1,
          dead: dead + 1,
        });
        expect(await counts(1)).toEqual({ queued: 1, retrying: 1, sent: 1, dead: 1 });
        expect((await store.measure(0)).firstDue).toBe(since);
      });

      test('are forgotten a week after they were sent and a month after they were given up', async () => {
        const [waiting, sent, dead] = [await queue(), await queue(), await queue()];
        for (const { id, fence } of await claim()) {
          if (id === waiting) await store.recordDelivery(id, fence, { state: 'queued', dueAt: now, reason: null });
          else await store.recordDelivery(id, fence, id === sent ? SENT : { state: 'dead', reason: words });
        }
        const left = async () => {
          await store.pruneMails();
          const mails = await store.listMails({ state: null, limit: 10_000 });
          return [waiting, sent, dead].map((id) => mails.some((mail) => mail.id === id));
        };
        now += 7 * DAY;
        expect(await left()).toEqual([true, true, true]);
        now += 1;
        expect(await left()).toEqual([true, false, true]);
        now += 23 * DAY - 1;
        expect(await left()).toEqual([true, false, true]);
        now += 1;
        expect(await left()).toEqual([true, false, false]);
      });

      test('go with their submission', async () => {
        const place = await makeForm();
        const mails = [toOwner(), toOwner()];
        const id = await post(place, mails);
        const [claimed] = await claim(1);
        if (!claimed) throw new Error('not claimed');
        await store.deleteSubmission(id, place.teamId);
        expect(await store.recordDelivery(claimed.id, claimed.fence, SENT)).toBe(false);
        expect(await claim()).toEqual([]);
        expect(await store.findSubmissionWithForm(id)).toBeNull();
      });

      test('find their submission with its form', async () => {
        const place = await makeForm();
        const id = await post(place, [toOwner()]);
        expect(await store.findSubmissionWithForm(id)).toMatchObject({ submission: { id }, form: place.form });
      });

      test('of two who open the same store each gets others', async () => {
        const other = await open(
          () => now,
          () => null,
        );
        const ids = await Promise.all(Array.from({ length: 20 }, queue));
        const claimed: string[][] = [[], []];
        for (let round = 0; round < 10; round++) {
          const both = await Promise.all([store.claimMails(3, MINUTE), other.claimMails(3, MINUTE)]);
          for (const [index, mails] of both.entries()) claimed[index]?.push(...idsOf(mails));
        }
        await other.close();
        expect(claimed.flat().toSorted()).toEqual(ids.toSorted());
        expect(claimed.every((mine) => mine.length > 0)).toBe(true);
      });

      test('in answer go to an address once a day, for each form', async () => {
        const [place, elsewhere] = [await makeForm(), await makeForm()];
        const counts: number[] = [];
        const answer = async (to: Place, addressee: string) => {
          await post(to, [toVisitor(addressee)]);
          counts.push((await sendAll()).length);
        };
        await answer(place, 'ada');
        await answer(place, 'ada');
        await answer(place, 'bob');
        await answer(elsewhere, 'ada');
        now += DAY - 1;
        await answer(place, 'ada');
        now += 1;
        await answer(place, 'ada');
        expect(counts).toEqual([1, 0, 1, 1, 0, 1]);
      });

      test('in answer are at most thirty an hour from one form; those to its owner go on', async () => {
        const place = await makeForm();
        const answers = async (count: number) => {
          for (let n = 0; n < count; n++) await post(place, [toOwner(), toVisitor(newId('hash'))]);
          const mails = await sendAll();
          return ['notification', 'auto_reply'].map((kind) => mails.filter((mail) => mail.kind === kind).length);
        };
        expect(await answers(35)).toEqual([35, 30]);
        now += HOUR - 1;
        expect(await answers(1)).toEqual([1, 0]);
        now += 1;
        expect(await answers(1)).toEqual([1, 1]);
      });

      test('of a submission that was held back are queued when it turns out to be genuine, once', async () => {
        const place = await makeForm();
        const id = await post(place, [], { isSpam: true, spamReasons: words });
        const mark = async (isSpam: boolean) => {
          await store.markSubmission(id, isSpam, [toOwner()]);
          return (await claim()).length;
        };
        expect([await mark(true), await mark(false), await mark(false)]).toEqual([0, 1, 0]);
        expect([await mark(true), await mark(false)]).toEqual([0, 0]);
      });

      test('of a submission that was genuine from the beginning are not queued again', async () => {
        const id = await post(await makeForm(), []);
        await store.markSubmission(id, true, [toOwner()]);
        await store.markSubmission(id, false, [toOwner()]);
        expect(await claim()).toEqual([]);
      });
    });

    // Of those that look at the time the last: it goes on by a month.
    test('the figures of forms tell what came on which day, what is unread and when the last one came', async () => {
      const place = await makeForm();
      const quiet = { ...place.form, id: newId('frm'), shortId: newShortId() };
      await store.createForm(quiet);
      const before = now;
      for (const days of [0, 1, 30, 31]) {
        now = before + days * DAY;
        await store.acceptSubmission({ ...submission(place), isSpam: days === 30 });
      }
      const stats = await store.formStats(place.teamId, now);
      expect([...stats.keys()].sort()).toEqual([place.form.id, quiet.id].sort());
      const { unread, lastArrival, days } = stats.get(place.form.id) ?? {};
      expect(unread).toBe(3);
      expect(lastArrival).toBeGreaterThanOrEqual(now);
      expect(days).toEqual([...Array(28).fill(0), 1, 1]);
      expect(stats.get(quiet.id)).toEqual({ unread: 0, lastArrival: null, days: Array(30).fill(0) });
    });

    describe('the audit', () => {
      const actor = (id: string) => ({ kind: 'user' as const, id, name: `${id}@example.com`, address: '192.0.2.x' });
      const entry = (teamId: string | null, id = 'usr_a', at = now): AuditEntry => ({
        at,
        teamId,
        actor: actor(id),
        action: 'form.changed',
        details: { form_id: 'frm_1', count: 2, is_spam: false },
      });
      const first = { before: null, limit: 10, actorId: null, action: null };

      test('gives back what was kept, newest first or oldest first', async () => {
        const { teamId } = await makeForm();
        await store.recordAudit([entry(teamId), { ...entry(teamId), action: 'key.created' }]);
        const [newest, oldest, ...others] = await store.listAudit(teamId, first);
        expect(others).toEqual([]);
        expect(newest).toEqual({ ...entry(teamId), action: 'key.created', id: newest?.id ?? 0 });
        expect(oldest).toEqual({ ...entry(teamId), id: (newest?.id ?? 0) - 1 });
        const all = { since: 0, after: 0, limit: 10 };
        expect(await store.listAuditFrom(teamId, all)).toEqual([oldest, newest].filter((one) => one !== undefined));
        expect(await store.listAuditFrom(teamId, { ...all, since: now + 1 })).toEqual([]);
        expect(await store.listAuditFrom(teamId, { ...all, after: oldest?.id ?? 0 })).toHaveLength(1);
      });

      test('keeps all or none', async () => {
        const { teamId } = await makeForm();
        await expect(store.recordAudit([entry(teamId), entry('team_none')])).rejects.toThrow();
        expect(await store.listAudit(teamId, first)).toEqual([]);
      });

      test('is of one team, actor and action, page by page', async () => {
        const { teamId } = await makeForm();
        const { teamId: other } = await makeForm();
        for (let count = 0; count < 5; count++) {
          await store.recordAudit([entry(teamId, 'usr_a'), { ...entry(teamId, 'usr_b'), action: 'key.created' }]);
          await store.recordAudit([entry(other, 'usr_c'), entry(null, 'usr_c')]);
        }
        const read = async (wanted: Partial<Parameters<Store['listAudit']>[1]>) => {
          const found: string[] = [];
          let before: number | null = null;
          for (;;) {
            const page = await store.listAudit(teamId, { ...first, ...wanted, before, limit: 2 });
            found.push(...page.map((one) => `${one.actor.id} ${one.action}`));
            before = page.at(-1)?.id ?? null;
            if (page.length < 2) return found;
          }
        };
        const [a, b] = ['usr_a form.changed', 'usr_b key.created'];
        expect(await read({})).toEqual([b, a, b, a, b, a, b, a, b, a]);
        expect(await read({ actorId: 'usr_a' })).toEqual([a, a, a, a, a]);
        expect(await read({ action: 'key.created' })).toEqual([b, b, b, b, b]);
        expect(await read({ actorId: 'usr_b', action: 'key.created' })).toEqual([b, b, b, b, b]);
        expect(await read({ actorId: 'usr_a', action: 'key.created' })).toEqual([]);
        expect(await read({ actorId: 'usr_c' })).toEqual([]);
        expect(await store.listAuditActors(teamId, 10)).toEqual([actor('usr_a'), actor('usr_b')]);
        expect(await store.listAuditActors(teamId, 1)).toEqual([actor('usr_a')]);
      });
    });

    describe('an inbox', () => {
      /** Two forms of a team that got these in turn, oldest first. */
      const inbox = async () => {
        const first = await makeForm();
        const second = { ...first, form: { ...first.form, id: newId('frm'), shortId: newShortId() } };
        await store.createForm(second.form);
        const kept: Array<{ id: string; at: Micros }> = [];
        for (const place of [first, second, first, first, second, second]) {
          const wanted = submission(place);
          const acceptance = await store.acceptSubmission(wanted);
          kept.push({ id: wanted.id, at: acceptance.outcome === 'stored' ? acceptance.createdAt : 0 });
        }
        const formIds = [first.form.id, second.form.id];
        const all = { formIds, part: 'inbox', from: null, until: null } as const;
        return { ...first, all, ids: kept.map(({ id }) => id), times: kept.map(({ at }) => at) };
      };
      const LAST = Number.MAX_SAFE_INTEGER;

      test('goes by time across forms, in both directions and within bounds', async () => {
        const { all, times } = await inbox();
        const [, second = 0, , fourth = 0, fifth = 0] = times;
        const newest = times.toReversed();
        expect(await store.listInboxTimes(all, { before: LAST, limit: 4 })).toEqual(newest.slice(0, 4));
        expect(await store.listInboxTimes(all, { before: newest[3] ?? 0, limit: 4 })).toEqual(newest.slice(4));
        expect(await store.listInboxTimes(all, { after: second, limit: 2 })).toEqual(times.slice(2, 4));
        const bounded = { ...all, from: second, until: fifth };
        expect(await store.listInboxTimes(bounded, { before: LAST, limit: 9 })).toEqual(newest.slice(2, 5));
        expect(await store.listInboxTimes(bounded, { after: fourth, limit: 9 })).toEqual([]);
        expect(await store.listInboxTimes({ ...all, formIds: [] }, { before: LAST, limit: 9 })).toEqual([]);
      });

      test('gives what was created at a time, and those next to it', async () => {
        const { all, ids, times, teamId } = await inbox();
        const [first = 0, second = 0, third = 0] = times;
        const [found, next] = await store.findSubmissionsAt([third, first]);
        expect([found?.id, next?.id]).toEqual([ids[2], ids[0]]);
        expect(await store.findInboxNeighbours(all, second)).toEqual({ newer: ids[2] ?? '', older: ids[0] ?? '' });
        expect(await store.findInboxNeighbours(all, first)).toEqual({ newer: ids[1] ?? '', older: null });
        await store.deleteSubmission(ids[2] ?? '', teamId);
        expect(await store.findSubmissionsAt([third])).toEqual([]);
        expect((await store.findInboxNeighbours(all, second)).newer).toBe(ids[3] ?? '');
      });

      test('has parts: what is spam, and what of the rest its own team has not marked as read', async () => {
        const { all, ids, times, teamId } = await inbox();
        const [first = '', second = '', third = ''] = ids;
        const stranger = await makeForm();
        expect(await store.markRead(ids, stranger.teamId, now)).toBe(0);
        expect(await store.markRead([first, second, 'sub_unknown'], teamId, now)).toBe(2);
        await store.markRead([first], teamId, now + MINUTE);
        await store.markRead([second], teamId, null);
        await store.markSubmission(third, true, []);
        const part = (part: 'inbox' | 'unread' | 'spam') =>
          store.listInboxTimes({ ...all, part }, { after: 0, limit: 9 });
        expect(await part('spam')).toEqual(times.slice(2, 3));
        expect(await part('unread')).toEqual([...times.slice(1, 2), ...times.slice(3)]);
        expect(await part('inbox')).toEqual([...times.slice(0, 2), ...times.slice(3)]);
        expect(await store.countUnread(all.formIds, 9)).toBe(4);
        expect(await store.countUnread(all.formIds, 3)).toBe(3);
        expect((await store.findSubmission(first, teamId))?.readAt).toBe(now);
        expect((await store.findSubmission(second, teamId))?.readAt).toBeNull();
      });
    });

    test('the last time that was given out is known, also when what had it is gone', async () => {
      const place = await makeForm();
      now += MINUTE;
      const kept = submission(place);
      await store.acceptSubmission(kept);
      const found = await store.findSubmission(kept.id, place.teamId);
      expect((await store.measure(0)).lastCreated).toBe(found?.createdAt ?? 0);
      await store.deleteSubmission(kept.id, place.teamId);
      expect((await store.measure(0)).lastCreated).toBe(found?.createdAt ?? 0);
    });

    test('it is whole, of some size, and can be tried without a change', async () => {
      const before = await store.measure(10);
      await store.probe();
      expect(await store.findDamage()).toEqual([]);
      const after = await store.measure(10);
      expect({ ...after, logBytes: 0 }).toEqual({ ...before, logBytes: 0 });
      expect(after.databaseBytes).toBeGreaterThan(0);
    });

    describe('vault keys', () => {
      const list = async () => (await store.listVaultKeys()).map(({ id, state }) => [id, state]);
      const key = (id: number) => ({ id, check: `check ${id}`, fingerprintKey: Buffer.from([id]) });

      test('only the first is noted by a start', async () => {
        const first = await store.addFirstVaultKey({ id: 1, check: 'a' }, now);
        expect(await store.addFirstVaultKey({ id: 2, check: 'b' }, now)).toEqual(first);
        expect(first).toEqual([{ id: 1, check: 'a', state: 'current', fingerprintKey: null, createdAt: now }]);
        expect(await store.listVaultKeys()).toEqual(first);
      });

      test('one is current, and those before it retire until nothing is sealed under them', async () => {
        await store.makeVaultKeyCurrent(key(2), now + 1);
        expect(await list()).toEqual([
          [1, 'retiring'],
          [2, 'current'],
        ]);
        expect((await store.listVaultKeys())[1]?.fingerprintKey).toEqual(Buffer.from([2]));
        expect(await store.endRetirement(1)).toBe(false);
        expect(await store.removeVaultKey(1)).toBe(false);
        expect(await store.endRetirement(2)).toBe(true);
        await store.makeVaultKeyCurrent(key(3), now + 2);
        expect(await list()).toEqual([
          [1, 'unused'],
          [2, 'retiring'],
          [3, 'current'],
        ]);
        expect([await store.removeVaultKey(3), await store.removeVaultKey(2), await store.removeVaultKey(9)]).toEqual([
          false,
          false,
          false,
        ]);
        expect(await store.removeVaultKey(1)).toBe(true);
      });

      test('one from before may become current again, but none with the id of another', async () => {
        await store.makeVaultKeyCurrent(key(2), now + 3);
        expect(await list()).toEqual([
          [2, 'current'],
          [3, 'retiring'],
        ]);
        const twin = store.makeVaultKeyCurrent({ ...key(3), check: 'of another' }, now);
        await expect(twin).rejects.toThrow('same id');
        expect(await list()).toEqual([
          [2, 'current'],
          [3, 'retiring'],
        ]);
      });
    });

    describe('sealed records', () => {
      /** What looks like a record under a key, whatever is in it. */
      const record = (keyId: number, size = 64) => {
        const bytes = Buffer.from(crypto.getRandomValues(new Uint8Array(size)));
        bytes[0] = 1;
        bytes.writeUInt32BE(keyId, 1);
        return bytes;
      };
      const all = async (except: number | null = null) => {
        const records: SealedRecord[] = [];
        let looked = 0;
        for (let from: SealedPointer | null | undefined; from !== null; ) {
          const page = await store.listSealed(from ?? null, except);
          records.push(...page.records);
          looked += page.looked;
          from = page.next;
        }
        return { records, looked };
      };
      const keyOf = (bytes: Uint8Array) => Buffer.from(bytes).readUInt32BE(1);
      const ofKeys = async (...ids: number[]) => {
        const { records } = await all();
        // Other tests keep what is shorter than any record.
        return records.filter((one) => one.record.length >= 64 && ids.includes(keyOf(one.record)));
      };

      test('are listed wherever they are, each with its place, once, but for those under one key', async () => {
        const place = await makeForm();
        const { form } = place;
        await store.updateForm(form.id, { challengeSecret: record(101) });
        const spam = { ...submission(place), isSpam: true, spamReasons: record(101), files: record(102) };
        await store.acceptSubmission({ ...spam, payload: record(101) });
        const many = Array.from({ length: 450 }, () => ({ ...submission(place), payload: record(102) }));
        await Promise.all(many.map((one) => store.acceptSubmission(one)));
        const large = { ...submission(place), payload: record(102, 400_000) };
        await store.acceptSubmission(large);

        const found = await ofKeys(101, 102);
        const at = (column: string, row = spam.id, table = 'submissions') => ({ table, row, form: form.id, column });
        const places = [
          ...['payload', 'files', 'spam_reasons'].map((column) => at(column)),
          ...[...many, large].map(({ id }) => at('payload', id)),
          at('challenge_secret', form.id, 'forms'),
        ];
        expect(found.map((one) => one.place)).toEqual(places);
        expect(found.at(-2)?.record).toEqual(large.payload);
        const others = (await all(102)).records.filter((one) =>
          found.some(({ place: { row } }) => row === one.place.row),
        );
        expect(others.map((one) => one.place)).toEqual([
          at('payload'),
          at('spam_reasons'),
          at('challenge_secret', form.id, 'forms'),
        ]);
        const { records, rows } = await store.countSealed();
        expect([records.get(101), records.get(102)]).toEqual([3, 452]);
        expect((await all()).looked).toBe(rows);
      });

      test('are replaced where they still are what they were, and nowhere else', async () => {
        const place = await makeForm();
        const rows = Array.from({ length: 3 }, () => ({ ...submission(place), payload: record(201) }));
        for (const row of rows) await store.acceptSubmission(row);
        const changes = (await ofKeys(201)).map((one) => ({ ...one, sealedAnew: record(202) }));
        const [first, second, third] = changes;
        // What another process did in between.
        if (first) await store.replaceSealed([{ ...first, sealedAnew: record(203) }]);
        await store.deleteSubmission(rows[1]?.id ?? '', place.teamId);
        expect(await store.replaceSealed(changes)).toBe(1);
        expect(await store.replaceSealed([])).toBe(0);
        expect((await ofKeys(201, 202, 203)).map(({ place: { row }, record: bytes }) => [row, keyOf(bytes)])).toEqual([
          [first?.place.row ?? '', 203],
          [third?.place.row ?? '', 202],
        ]);
        expect(await store.findSubmission(second?.place.row ?? '', place.teamId)).toBeNull();
        expect((await ofKeys(202))[0]?.record).toEqual(third?.sealedAnew ?? Buffer.alloc(0));
      });
    });
  });
}
