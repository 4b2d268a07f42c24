import { afterAll, describe, expect, test } from 'bun:test';
import { DEFAULT_SETTINGS, newShortId } from '../../../../src/domain/forms/form.ts';
import { type ChosenAccess, NO_ACCESS } from '../../../../src/domain/users/user.ts';
import { HOUR } from '../../../../src/lib/clock.ts';
import { newId } from '../../../../src/lib/ids.ts';
import { type Engine, newWebhook, openFixture } from './fixture.ts';

/** Tests teams, workspaces, members and invitations. */
export async function describeTeams(engine: Engine): Promise<void> {
  const { store, clock, makeForm, makeMember, submission } = await openFixture(engine);
  describe(`teams and members in ${engine.name}`, () => {
    afterAll(() => store.close());

    test('the first team, workspace and form are created together, and only in a store without a team', async () => {
      const make = (name: string) => {
        const team = {
          id: newId('team'),
          name,
          plan: 'pro',
          requiresSecondFactor: false,
          learnsSpam: true,
          setUpAt: null,
          createdAt: clock.now,
        };
        const workspace = { id: newId('wsp'), teamId: team.id, name, position: 0, createdAt: clock.now };
        const wanted = { workspaceId: workspace.id, name, isActive: true, webhookRoutes: [], ...DEFAULT_SETTINGS };
        const form = {
          ...wanted,
          id: newId('frm'),
          shortId: newShortId(),
          archivedAt: null,
          trashedAt: null,
          createdAt: clock.now,
        };
        return store.teams.createFirst(team, workspace, form);
      };
      const made = await Promise.all([make('First'), make('Second')]);
      expect(made.toSorted()).toEqual([false, true]);
      const name = made[0] ? 'First' : 'Second';
      const teams = await store.teams.list();
      expect(teams).toMatchObject([{ name }]);
      expect(await store.forms.list(teams[0]?.id ?? '')).toMatchObject([{ name }]);
    });

    test('a team can be updated, listed and found', async () => {
      const { teamId } = await makeForm();
      expect(await store.teams.update(teamId, { plan: 'free' })).toMatchObject({ name: 'Team', plan: 'free' });
      expect((await store.teams.list()).some(({ id }) => id === teamId)).toBe(true);
      expect(await store.teams.update('team_none', { plan: 'free' })).toBeNull();
    });

    test('teams are listed with their stats, without what is in the trash', async () => {
      const place = await makeForm();
      const statsOf = async () => (await store.teams.listStats()).find(({ id }) => id === place.teamId);
      const empty = { id: place.teamId, name: 'Team', plan: 'pro', createdAt: clock.now, submissions: 0, bytes: 0 };
      expect(await statsOf()).toEqual({ ...empty, forms: 1, lastActivity: null });
      const [kept, moved] = [submission(place), { ...submission(place), isSpam: true }];
      const first = await store.queue.accept(kept);
      await store.queue.accept(moved);
      await store.trash.moveSubmissions([moved.id], place.teamId, clock.now);
      const lastActivity = first.outcome === 'stored' ? first.createdAt : null;
      expect(await statsOf()).toEqual({ ...empty, forms: 1, submissions: 1, bytes: 6, lastActivity });
      const actor = { kind: 'command', id: 'command', name: null, address: null } as const;
      const at = clock.now + HOUR;
      await store.audit.record([{ at, teamId: place.teamId, actor, action: 'form.trashed', details: {} }]);
      await store.trash.moveForm(place.form.id, place.teamId, clock.now);
      expect(await statsOf()).toEqual({ ...empty, forms: 0, bytes: 6, lastActivity: at });
    });

    test('a closed team has no access and no forms to restore, and is deleted in steps once they are gone', async () => {
      const [place, stranger] = [await makeForm(), await makeForm()];
      const { teamId, form } = place;
      const member = await makeMember(teamId, 'owner');
      await store.queue.accept(submission(place));
      expect([await store.teams.close('team_none'), await store.teams.close(teamId)]).toEqual([false, true]);
      expect(await store.members.list(teamId)).toEqual([]);
      expect(await store.users.find(member.id)).toEqual(member);
      expect((await store.queue.accept(submission(place))).outcome).toBe('paused');
      expect(await store.trash.moveForm(form.id, teamId, null)).toBe(false);
      expect(await store.trash.listExpiredForms(1, 10)).toEqual([{ id: form.id, teamId }]);
      expect(await store.teams.delete(teamId, 2).catch((error) => error.code)).toBe('conflict');
      expect(await store.teams.find(teamId)).not.toBeNull();

      await store.retention.deleteOlder(form.id, Number.MAX_SAFE_INTEGER);
      await store.trash.deleteForm(form.id);
      const actor = { kind: 'command', id: 'command', name: null, address: null } as const;
      const entry = { at: clock.now, teamId, actor, action: 'form.deleted', details: {} } as const;
      await store.audit.record([entry, entry, entry, { ...entry, teamId: stranger.teamId }]);
      const { requested } = await store.upkeep.readPurges();
      expect([await store.teams.delete(teamId, 2), await store.teams.delete(teamId, 2)]).toEqual([false, true]);
      expect([await store.teams.find(teamId), await store.workspaces.list(teamId)]).toEqual([null, []]);
      expect((await store.upkeep.readPurges()).requested).toBe(requested + 1);
      const page = { before: null, limit: 9, actorId: null, action: null };
      expect(await store.audit.list(stranger.teamId, page)).toHaveLength(1);
      expect(await store.forms.find(stranger.form.id, stranger.teamId)).not.toBeNull();
    });

    test('only its own team can rename a workspace', async () => {
      const { teamId, form } = await makeForm();
      const stranger = await makeForm();
      expect(await store.workspaces.rename(form.workspaceId, 'Mine', stranger.teamId)).toBe(false);
      expect(await store.workspaces.rename(form.workspaceId, 'New', teamId)).toBe(true);
      expect((await store.workspaces.list(teamId)).map(({ name }) => name)).toEqual(['New']);
    });

    test('an owner creates a team with a workspace, which nobody else can', async () => {
      const { teamId, form } = await makeForm();
      const [owner, editor] = [await makeMember(teamId, 'owner'), await makeMember(teamId, 'editor')];
      const workspace = await store.workspaces.find(form.workspaceId);
      const team = await store.teams.find(teamId);
      if (!team || !workspace) throw new Error('nothing is stored');
      const own = { ...team, id: newId('team'), name: 'Own' };
      const ofOwn = { ...workspace, id: newId('wsp'), teamId: own.id };
      const refused = store.teams.createOwned(own, ofOwn, editor.id, teamId).catch((error) => error.code);
      expect(await refused).toBe('role_forbids');
      expect(await store.teams.find(own.id)).toBeNull();
      await store.teams.createOwned(own, ofOwn, owner.id, teamId);
      expect(await store.teams.find(own.id)).toEqual(own);
      expect(await store.workspaces.list(own.id)).toEqual([ofOwn]);
      expect(await store.members.list(own.id)).toMatchObject([{ userId: owner.id, role: 'owner', name: null }]);
    });

    test('workspaces are sorted by swapping neighbors, in their own team', async () => {
      const { teamId, form } = await makeForm();
      const stranger = await makeForm();
      for (const [index, name] of ['B', 'C'].entries()) {
        const createdAt = clock.now + 1 + index;
        await store.workspaces.create({ id: newId('wsp'), teamId, name, position: 0, createdAt });
      }
      const names = async () => (await store.workspaces.list(teamId)).map(({ name }) => name).join(' ');
      const [, , third = { id: '' }] = await store.workspaces.list(teamId);
      expect(await names()).toBe('Workspace B C');
      expect(await store.workspaces.sort(third.id, 'up', stranger.teamId)).toBe(false);
      for (const [direction, result] of [
        ['up', 'Workspace C B'],
        ['up', 'C Workspace B'],
        ['up', 'C Workspace B'],
        ['down', 'Workspace C B'],
      ] as const) {
        expect(await store.workspaces.sort(third.id, direction, teamId)).toBe(true);
        expect(await names()).toBe(result);
      }
      expect(await store.workspaces.sort(form.workspaceId, 'down', teamId)).toBe(true);
      expect(await names()).toBe('C Workspace B');
    });

    test('a workspace is deleted if it is not the last one and has no forms outside the trash', async () => {
      const { teamId, form } = await makeForm();
      const { workspaceId } = form;
      const stranger = await makeForm();
      const refusal = () => store.workspaces.delete(workspaceId, teamId).catch(({ code, reason }) => [code, reason]);
      expect(await refusal()).toEqual(['conflict', ['last_workspace']]);
      const other = { id: newId('wsp'), teamId, name: 'Other', position: 0, createdAt: clock.now + 1 };
      await store.workspaces.create(other);
      expect(await refusal()).toEqual(['conflict', ['workspace_in_use']]);
      await store.trash.moveForm(form.id, teamId, clock.now);
      expect(await store.workspaces.delete(workspaceId, stranger.teamId)).toBe(false);
      expect(await store.workspaces.delete(workspaceId, teamId)).toBe(true);
      expect(await store.workspaces.list(teamId)).toEqual([other]);
      await store.trash.moveForm(form.id, teamId, null);
      expect((await store.forms.find(form.id, teamId))?.workspaceId).toBe(other.id);
    });

    test('a team always keeps an owner, even when several are removed at once', async () => {
      const { teamId } = await makeForm();
      const owners = [await makeMember(teamId, 'owner'), await makeMember(teamId, 'owner')];
      const taken = await Promise.allSettled([
        ...owners.map(({ id }) => store.members.changeRole(teamId, id, 'viewer')),
        ...owners.map(({ id }) => store.members.remove(teamId, id)),
      ]);
      expect(taken.some(({ status }) => status === 'rejected')).toBe(true);
      const left = await store.members.list(teamId);
      expect(left.filter(({ role }) => role === 'owner')).toHaveLength(1);
      const last = left.find(({ role }) => role === 'owner')?.userId ?? '';
      const refused = store.members.remove(teamId, last).catch((error) => error.code);
      expect(await refused).toBe('conflict');
      expect(await store.members.list(teamId)).toEqual(left);
      expect(await store.members.changeRole(teamId, last, 'owner')).not.toBeNull();
    });

    test('lists only members of the team, and changes or removes nobody else', async () => {
      const [mine, theirs] = [await makeForm(), await makeForm()];
      const owner = await makeMember(mine.teamId, 'owner');
      const stranger = await makeMember(theirs.teamId, 'owner');
      expect(await store.members.changeRole(mine.teamId, stranger.id, 'viewer')).toBeNull();
      expect(await store.members.remove(mine.teamId, stranger.id)).toBeNull();
      expect(await store.members.add(mine.teamId, stranger.id, 'viewer')).toBe(true);
      expect(await store.members.add(mine.teamId, stranger.id, 'owner')).toBe(false);
      const roles = (await store.members.list(mine.teamId)).map(({ userId, role }) => `${userId} ${role}`);
      expect(roles.sort()).toEqual([`${owner.id} owner`, `${stranger.id} viewer`].sort());
    });

    test('invitations end with the role of their maker, and chosen keys with them', async () => {
      const [{ teamId }, elsewhere] = [await makeForm(), await makeForm()];
      await makeMember(teamId, 'owner');
      const makeAccess = async (team: string, createdBy: string) => {
        const [hash, id] = [newId('hash'), newId('key')];
        const times = { createdAt: clock.now, expiresAt: clock.now + HOUR };
        const link = {
          teamId: team,
          userId: null,
          role: 'owner' as const,
          email: null,
          newEmail: null,
          createdBy,
          ...times,
        };
        await store.users.createLink(hash, link);
        const unused = { revokedAt: null, lastUsedAt: null };
        await store.keys.create(
          { id, teamId: team, name: 'K', scope: 'read', formIds: null, createdBy, ...times, ...unused },
          newId('h'),
        );
        return { hash, id };
      };
      for (const end of [
        (userId: string, chosen: ChosenAccess) => store.members.remove(teamId, userId, chosen),
        (userId: string, chosen: ChosenAccess) => store.members.changeRole(teamId, userId, 'editor', chosen),
      ]) {
        const [owner, other] = [await makeMember(teamId, 'owner'), await makeMember(teamId, 'owner')];
        await store.members.add(elsewhere.teamId, owner.id, 'owner');
        const [mine, kept] = [await makeAccess(teamId, owner.id), await makeAccess(teamId, owner.id)];
        const [theirs, away] = [await makeAccess(teamId, other.id), await makeAccess(elsewhere.teamId, owner.id)];
        const none = { invitations: 0, keys: 0, webhooks: 0, notifications: 0 };
        expect(await store.members.changeRole(teamId, owner.id, 'owner', { ...NO_ACCESS, keyIds: [mine.id] })).toEqual(
          none,
        );
        const chosen = { ...NO_ACCESS, keyIds: [mine.id, theirs.id, away.id] };
        expect(await end(owner.id, chosen)).toEqual({ ...none, invitations: 2, keys: 1 });
        const left = await Promise.all([mine, kept, theirs, away].map(({ hash }) => store.users.findLink(hash)));
        expect(left.map((link) => link !== null)).toEqual([false, false, true, true]);
        const revoked = (await store.keys.list(teamId)).filter(({ revokedAt }) => revokedAt !== null);
        expect(revoked.map(({ id }) => id)).toContain(mine.id);
        for (const { id } of [kept, theirs]) expect(revoked.map((key) => key.id)).not.toContain(id);
        await expect(makeAccess(teamId, owner.id)).rejects.toMatchObject({ code: 'role_forbids' });
        expect(await store.members.listInvitations(teamId)).toContainEqual(
          expect.objectContaining({ createdBy: other.id }),
        );
      }
    });

    test('chosen webhooks are paused and notifications end with a member, in the team alone', async () => {
      const [here, elsewhere] = [await makeForm(), await makeForm()];
      await makeMember(here.teamId, 'owner');
      const member = await makeMember(here.teamId, 'owner');
      const [mine, kept, away] = [newWebhook(here), newWebhook(here), newWebhook(elsewhere)];
      for (const webhook of [mine, kept, away]) await store.webhooks.create(webhook, 10);
      const other = 'other@example.com';
      const when = [{ field: 'a', is: 'x' }];
      const address = member.email.toUpperCase();
      for (const { form } of [here, elsewhere]) {
        const settings = { notify: [address, other], notifyWhen: { [address]: when, [other]: when } };
        await store.forms.update(form.id, settings);
      }
      const chosen = {
        keyIds: [],
        webhookIds: [mine.id, away.id],
        notifyingFormIds: [here.form.id, elsewhere.form.id],
      };
      const ended = { invitations: 0, keys: 0, webhooks: 1, notifications: 1 };
      expect(await store.members.remove(here.teamId, member.id, chosen)).toEqual(ended);
      const active = await Promise.all([mine, kept, away].map(({ id }) => store.webhooks.find(id)));
      expect(active.map((webhook) => webhook?.isActive)).toEqual([false, true, true]);
      const forms = await Promise.all([here, elsewhere].map(({ form }) => store.forms.findStored(form.id)));
      expect(forms.map((form) => form?.notify)).toEqual([[other], [address, other]]);
      expect(forms[0]?.notifyWhen).toEqual({ [other]: when });
    });

    test('who no longer manages the team adds and readdresses no webhook', async () => {
      const { teamId, form } = await makeForm();
      await makeMember(teamId, 'owner');
      const member = await makeMember(teamId, 'owner');
      const times = { createdAt: clock.now, expiresAt: null, revokedAt: null, lastUsedAt: null };
      const key = { id: newId('key'), teamId, name: 'K', scope: 'read_write' as const, formIds: null, ...times };
      await store.keys.create({ ...key, createdBy: member.id }, newId('h'));
      const place = { form };
      for (const [createdBy, code] of [
        [member.id, 'role_forbids'],
        [key.id, 'invalid_key'],
      ] as const) {
        const webhook = newWebhook(place, { createdBy });
        await store.webhooks.create(webhook, 10);
        if (createdBy === member.id) await store.members.remove(teamId, member.id);
        else await store.keys.revoke(key.id, clock.now);
        await expect(store.webhooks.create(newWebhook(place, { createdBy }), 10)).rejects.toMatchObject({ code });
        await expect(store.webhooks.update(webhook.id, { createdBy })).rejects.toMatchObject({ code });
        expect(await store.webhooks.list(form.id)).toContainEqual(
          expect.objectContaining({ id: webhook.id, createdBy }),
        );
      }
    });

    test('an invitation is listed until it is used, revoked or expired, and a session can select the joined team', async () => {
      const [mine, theirs] = [await makeForm(), await makeForm()];
      const guest = await makeMember(theirs.teamId, 'owner');
      const invite = async (lasts: number) => {
        const hash = newId('hash');
        const times = { createdAt: clock.now, expiresAt: clock.now + lasts };
        await store.users.createLink(hash, {
          teamId: mine.teamId,
          userId: null,
          role: 'editor',
          email: 'a@x.example',
          newEmail: null,
          createdBy: null,
          ...times,
        });
        return hash;
      };
      const [used, revoked, over] = [await invite(HOUR), await invite(HOUR), await invite(0)];
      const open = async () => (await store.members.listInvitations(mine.teamId)).map(({ id }) => id);
      expect((await open()).sort()).toEqual([used, revoked].sort());
      expect((await store.members.listInvitations(mine.teamId))[0]).toMatchObject({
        role: 'editor',
        email: 'a@x.example',
      });
      expect(await store.members.revokeInvitation(theirs.teamId, revoked)).toBe(false);
      expect(await store.members.revokeInvitation(mine.teamId, revoked)).toBe(true);
      expect(await store.members.revokeInvitation(mine.teamId, over)).toBe(false);
      expect(await store.members.joinByLink(over, guest.id)).toBeNull();
      expect(await store.members.joinByLink(used, guest.id)).toBe(mine.teamId);
      expect(await store.members.joinByLink(used, guest.id)).toBeNull();
      expect(await open()).toEqual([]);

      const again = await invite(HOUR);
      expect(await store.members.joinByLink(again, guest.id)).toBe(mine.teamId);
      expect(await open()).toEqual([again]);

      const session = {
        id: newId('ses'),
        userId: guest.id,
        teamId: null,
        isPending: false,
        method: 'password' as const,
        isMultiFactor: false,
        passwordAt: 0,
        address: '',
        browser: '',
      };
      const times = { createdAt: clock.now, lastUsedAt: clock.now, expiresAt: clock.now + HOUR };
      await store.sessions.create(session.id, { ...session, ...times });
      const shownTeam = async () => (await store.sessions.find(session.id))?.session.teamId;
      expect(await store.members.chooseTeam(session.id, 'team_none')).toBe(false);
      expect(await store.members.chooseTeam(session.id, mine.teamId)).toBe(true);
      expect(await shownTeam()).toBe(mine.teamId);
      await makeMember(mine.teamId, 'owner');
      await store.members.remove(mine.teamId, guest.id);
      expect(await shownTeam()).toBeNull();
      expect(await store.members.chooseTeam(session.id, mine.teamId)).toBe(false);
    });
  });
}
