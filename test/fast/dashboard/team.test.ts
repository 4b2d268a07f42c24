import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import PostalMime from 'postal-mime';
import { TEAM_TEXTS } from '../../../src/dashboard/teams/texts.ts';
import { CATALOG } from '../../../src/dashboard/ui/texts.ts';
import type { Role } from '../../../src/domain/teams/roles.ts';
import { DAY, SECOND } from '../../../src/lib/clock.ts';
import { createInvitation, INVITATION_TTL } from '../../../src/services/users/accounts.ts';
import { hashToken } from '../../../src/services/users/sessions.ts';
import { startAtBaseUrl } from '../../support/free-port.ts';
import { type Instance, type Owner, startInstance } from '../../support/instance.ts';
import { startSmtp } from '../../support/smtp.ts';
import { PASSWORD, type SignedIn, signIn } from './signed-in.ts';
import { errorOn, visitor, withoutNonce } from './visitor.ts';

const EN = CATALOG.textsIn('en');

const t = TEAM_TEXTS.en;

let now = Date.UTC(2026, 10, 21, 8) * 1000;
let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ clock: () => ++now });
});
afterAll(() => instance.stop());

/** A team with one owner, who is signed in. */
async function makeTeam(): Promise<
  Readonly<{ team: Owner; owner: SignedIn; join: (role: Role) => Promise<SignedIn> }>
> {
  const team = await instance.makeOwner();
  const owner = await signIn(instance, team);
  return { team, owner, join: (role) => signIn(instance, team, {}, role) };
}

const rolesIn = async ({ teamId }: Owner) =>
  Object.fromEntries((await instance.context.store.members.list(teamId)).map(({ email, role }) => [email, role]));

const tokenIn = (markup: string) => /\/dashboard\/welcome\/([\w-]{43})/.exec(markup)?.[1] ?? '';

async function invite(owner: SignedIn, role: Role, email = ''): Promise<string> {
  const made = await owner.post('/dashboard/team/invitations', { role, email });
  expect(made.status).toBe(200);
  return tokenIn(await made.text());
}

const invitations = ({ teamId }: Owner) => instance.context.store.members.listInvitations(teamId);

describe('members', () => {
  test('are listed with role and day to all members, and only owners can change them', async () => {
    const { owner, join } = await makeTeam();
    const viewer = await join('viewer');
    for (const who of [owner, viewer]) {
      const markup = await who.page('/dashboard/team');
      for (const { email } of [owner.user, viewer.user]) expect(markup).toContain(email);
      expect(markup).toContain('Nov 21, 2026');
      expect(markup.includes('/dashboard/team/members/')).toBe(who === owner);
      expect(markup.includes('/dashboard/team/invitations')).toBe(who === owner);
      expect(markup.includes('href="/dashboard/keys"')).toBe(who === owner);
    }
  });

  test('a changed role applies to the next request', async () => {
    const { owner, join } = await makeTeam();
    const member = await join('editor');
    expect((await member.post('/dashboard/workspaces', { name: 'Mine' })).status).toBe(303);
    const changed = await owner.post(`/dashboard/team/members/${member.user.id}`, { role: 'viewer' });
    expect(changed.headers.get('location')).toBe('/dashboard/team?done=role');
    const refused = await member.post('/dashboard/workspaces', { name: 'Mine too' });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain(EN.failure.codes.role_forbids);
    await owner.post(`/dashboard/team/members/${member.user.id}`, { role: 'owner' });
    expect((await member.get('/dashboard/keys')).status).toBe(200);
  });

  test('a removed member loses access with the next request, and can sign out', async () => {
    const { team, owner, join } = await makeTeam();
    const member = await join('owner');
    expect(await owner.page(`/dashboard/team/members/${member.user.id}/remove`)).toContain(member.user.email);
    expect((await member.get(`/dashboard/forms/${team.form.id}/submissions`)).status).toBe(200);
    const removed = await owner.post(`/dashboard/team/members/${member.user.id}/remove`);
    expect(removed.headers.get('location')).toBe('/dashboard/team?done=removed');
    const answer = await member.get(`/dashboard/forms/${team.form.id}/submissions`);
    expect(answer.status).toBe(403);
    const markup = await answer.text();
    expect(markup).toContain(EN.failure.noTeam);
    expect(markup).not.toContain('<nav');
    const out = await member.post('/dashboard/sign-out');
    expect(out.headers.get('location')).toBe('/dashboard/sign-in?done=out');
  });

  test('unknown roles and users of other teams are refused', async () => {
    const { team, owner, join } = await makeTeam();
    const member = await join('editor');
    const { owner: stranger } = await makeTeam();
    expect((await owner.post(`/dashboard/team/members/${member.user.id}`, { role: 'king' })).status).toBe(400);
    for (const path of [`/dashboard/team/members/${stranger.user.id}`, '/dashboard/team/members/usr_none']) {
      expect((await owner.post(path, { role: 'viewer' })).status).toBe(404);
      expect((await owner.get(`${path}/remove`)).status).toBe(404);
      expect((await owner.post(`${path}/remove`)).status).toBe(404);
    }
    expect(await rolesIn(team)).toEqual({ [owner.user.email]: 'owner', [member.user.email]: 'editor' });
  });

  test('the last owner can be neither demoted nor removed, and cannot leave', async () => {
    const { team, owner, join } = await makeTeam();
    await join('editor');
    const before = await rolesIn(team);
    for (const [path, fields] of [
      [`/dashboard/team/members/${owner.user.id}`, { role: 'editor' }],
      [`/dashboard/team/members/${owner.user.id}/remove`, {}],
      ['/dashboard/team/leave', {}],
    ] as const) {
      const answer = await owner.post(path, fields);
      expect([path, answer.status]).toEqual([path, 409]);
      expect(await errorOn(answer)).toContain(t.lastOwner);
    }
    expect(await rolesIn(team)).toEqual(before);
  });

  test('one owner remains when owners remove or demote each other concurrently', async () => {
    for (const [path, fields] of [
      ['', { role: 'viewer' }],
      ['/remove', {}],
    ] as const) {
      const { team, owner, join } = await makeTeam();
      const all = [owner, await join('owner'), await join('owner')];
      const tries = all.flatMap((one) =>
        all.map((other) => one.post(`/dashboard/team/members/${other.user.id}${path}`, fields)),
      );
      const statuses = (await Promise.all(tries)).map(({ status }) => status);
      expect(statuses.every((status) => [303, 403, 404, 409].includes(status))).toBe(true);
      expect(Object.values(await rolesIn(team)).filter((role) => role === 'owner')).toHaveLength(1);
    }
  });

  test('a member who leaves a team keeps access to the others', async () => {
    const { team, owner } = await makeTeam();
    const other = await makeTeam();
    await instance.context.store.members.add(team.teamId, other.owner.user.id, 'viewer');
    await other.owner.post('/dashboard/team/switch', { team: team.teamId });
    expect(await other.owner.page('/dashboard/team')).toContain(owner.user.email);
    expect(await other.owner.page('/dashboard/team/leave')).toContain(t.leaveTitle('Team'));
    const left = await other.owner.post('/dashboard/team/leave');
    expect(left.headers.get('location')).toBe('/dashboard/team?done=left');
    const markup = await other.owner.page('/dashboard/team?done=left');
    expect(markup).toContain(t.done.left);
    expect(markup).not.toContain(owner.user.email);
    expect(await rolesIn(team)).toEqual({ [owner.user.email]: 'owner' });
    await instance.context.store.members.add(team.teamId, other.owner.user.id, 'viewer');
    expect(await other.owner.page('/dashboard/team')).not.toContain(owner.user.email);
  });
});

test('an action of a page of another team is refused after a switch in another tab', async () => {
  const [first, second] = [await makeTeam(), await makeTeam()];
  const { owner } = first;
  await instance.context.store.members.add(second.team.teamId, owner.user.id, 'owner');
  const tab = await owner.page('/dashboard/keys');
  const pageTeam = /<input type="hidden" name="page_team" value="([^"]+)"/.exec(tab)?.[1] ?? '';
  expect(pageTeam).toBe(first.team.teamId);
  await owner.post('/dashboard/team/switch', { team: second.team.teamId });
  for (const [path, fields] of [
    ['/dashboard/keys', { name: 'Landed', scope: 'read' }],
    ['/dashboard/workspaces', { name: 'Landed' }],
    ['/dashboard/team/leave', {}],
  ] as const) {
    for (const page_team of [pageTeam, '']) {
      const answer = await owner.post(path, { ...fields, page_team });
      expect([path, answer.status]).toEqual([path, 409]);
      expect(await answer.text()).toContain(EN.failure.codes.team_switched);
    }
  }
  expect(JSON.stringify(await instance.context.store.keys.list(second.team.teamId))).not.toContain('Landed');
  expect(await rolesIn(second.team)).toHaveProperty([owner.user.email]);
  await owner.post('/dashboard/team/switch', { team: first.team.teamId, page_team: first.team.teamId });
  expect((await owner.post('/dashboard/keys', { name: 'Mine', scope: 'read', page_team: pageTeam })).status).toBe(200);
});

describe('the access that an owner made', () => {
  /** An owner with an open invitation and a key, and the links to them. */
  async function makeBusyOwner() {
    const { team, owner, join } = await makeTeam();
    const member = await join('owner');
    const token = await invite(member, 'owner', 'friend@example.com');
    const made = await member.post('/dashboard/keys', { name: 'Nightly <b>', scope: 'read' });
    const secret = /value="(fs_live_\w+)"/.exec(await made.text())?.[1];
    const isKeyValid = async () => (await instance.api('GET', '/v1/forms', { key: secret })).status === 200;
    const [key] = (await instance.context.store.keys.list(team.teamId)).filter(({ name }) => name === 'Nightly <b>');
    return {
      team,
      owner,
      member,
      token,
      key: key?.id ?? '',
      isKeyValid,
      path: `/dashboard/team/members/${member.user.id}`,
    };
  }

  const lastEntry = async ({ teamId }: Owner, action: string) =>
    (await instance.context.store.audit.listFrom(teamId, { since: 0, after: 0, limit: 100 })).findLast(
      (entry) => entry.action === action,
    )?.details;

  test('is listed before a removal, and a removed owner cannot come back by the own invitation', async () => {
    const { team, owner, member, token, isKeyValid, path } = await makeBusyOwner();
    const question = await owner.page(`${path}/remove`);
    for (const text of ['friend@example.com', 'Nightly &lt;b&gt;', t.endingInvitations, t.keysMade]) {
      expect(question).toContain(text);
    }
    expect(question.match(/<input type="checkbox"[^>]*>/g)).toEqual([expect.stringMatching(/name="key".* checked/)]);
    expect((await owner.post(`${path}/remove`)).status).toBe(303);
    expect((await member.post(`/dashboard/welcome/${token}`, { join: 'yes' })).status).toBe(404);
    expect(await rolesIn(team)).toEqual({ [owner.user.email]: 'owner' });
    expect(await isKeyValid()).toBe(true);
    expect(await lastEntry(team, 'member.removed')).toEqual({ user_id: member.user.id, invitations_revoked: 1 });
  });

  test('is listed before a demotion, which revokes the chosen keys', async () => {
    const { team, owner, member, token, key, isKeyValid, path } = await makeBusyOwner();
    const asked = await owner.post(path, { role: 'editor' });
    expect(asked.status).toBe(200);
    const question = await asked.text();
    expect(question).toContain('friend@example.com');
    expect(question).toContain(`name="key" value="${key}"`);
    expect((await rolesIn(team))[member.user.email]).toBe('owner');
    const changed = await owner.post(path, { role: 'editor', confirmed: 'yes', key });
    expect(changed.headers.get('location')).toBe('/dashboard/team?done=role');
    expect((await rolesIn(team))[member.user.email]).toBe('editor');
    expect((await visitor(instance).get(`/dashboard/welcome/${token}`)).status).toBe(404);
    expect(await isKeyValid()).toBe(false);
    const details = { user_id: member.user.id, role: 'editor', invitations_revoked: 1, keys_revoked: 1 };
    expect(await lastEntry(team, 'member.role_changed')).toEqual(details);
  });

  test('ends with an account, except keys', async () => {
    const { owner, member, token, isKeyValid } = await makeBusyOwner();
    await member.post('/dashboard/account/delete', { password: PASSWORD });
    expect(await owner.page('/dashboard/team')).not.toContain(member.user.email);
    expect((await visitor(instance).get(`/dashboard/welcome/${token}`)).status).toBe(404);
    expect(await isKeyValid()).toBe(true);
  });
});

describe('an invitation', () => {
  test('creates an account with its role, once', async () => {
    const { team, owner } = await makeTeam();
    const token = await invite(owner, 'editor', 'New@Example.com');
    const listed = await owner.page('/dashboard/team');
    expect(listed).toContain('new@example.com');
    expect(listed).not.toContain(token);
    const guest = visitor(instance);
    const page = await (await guest.get(`/dashboard/welcome/${token}`)).text();
    expect(page).toContain('You’re joining the team “Team”, where you can read and edit submissions and forms.');
    expect(page).toContain('value="new@example.com"');
    const fields = { email: 'other@example.com', new_password: PASSWORD };
    const made = await guest.post(`/dashboard/welcome/${token}`, fields);
    expect(made.headers.get('location')).toBe('/dashboard/forms');
    expect((await guest.get('/dashboard/forms/new')).status).toBe(200);
    expect((await guest.get('/dashboard/keys')).status).toBe(403);
    expect(await rolesIn(team)).toEqual({ [owner.user.email]: 'owner', 'other@example.com': 'editor' });
    expect((await visitor(instance).get(`/dashboard/welcome/${token}`)).status).toBe(404);
    expect(await invitations(team)).toEqual([]);
  });

  test('for certain workspaces names at least one of them', async () => {
    const { owner } = await makeTeam();
    const none = await owner.post('/dashboard/team/invitations', { role: 'viewer', workspaces: 'some', email: '' });
    expect(none.status).toBe(400);
    const page = await none.text();
    expect(page).toContain('Select at least one workspace');
    expect(page).toMatch(/value="some" checked/);
    expect(await owner.page('/dashboard/team')).not.toContain('Anyone with the link');
  });

  test('asks a signed-in user, who joins with a post', async () => {
    const { team, owner } = await makeTeam();
    const { owner: guest } = await makeTeam();
    const token = await invite(owner, 'viewer');
    const page = await guest.page(`/dashboard/welcome/${token}`);
    expect(page).toContain('Join the team “Team”');
    expect(page).toContain(guest.user.email);
    expect(await rolesIn(team)).toEqual({ [owner.user.email]: 'owner' });
    const joined = await guest.post(`/dashboard/welcome/${token}`, { join: 'yes' });
    expect(joined.headers.get('location')).toBe('/dashboard/team?done=joined');
    expect(await guest.page('/dashboard/team')).toContain(owner.user.email);
    expect(await rolesIn(team)).toEqual({ [owner.user.email]: 'owner', [guest.user.email]: 'viewer' });
    expect((await guest.post(`/dashboard/welcome/${token}`, { join: 'yes' })).status).toBe(404);
  });

  test('changes nothing for a member, and stays valid', async () => {
    const { team, owner, join } = await makeTeam();
    const viewer = await join('viewer');
    const token = await invite(owner, 'owner');
    expect(await viewer.page(`/dashboard/welcome/${token}`)).toContain('already a member of the team “Team”');
    await viewer.post(`/dashboard/welcome/${token}`, { join: 'yes' });
    expect((await rolesIn(team))[viewer.user.email]).toBe('viewer');
    expect(await invitations(team)).toHaveLength(1);
  });

  test('asks the owner of an existing account to sign in, and leads back', async () => {
    const { owner } = await makeTeam();
    const { owner: member } = await makeTeam();
    const token = await invite(owner, 'editor');
    const guest = visitor(instance);
    const taken = await guest.post(`/dashboard/welcome/${token}`, { email: member.user.email, new_password: PASSWORD });
    expect(taken.status).toBe(400);
    const markup = await taken.text();
    expect(markup).toContain('An account with this email address already exists');
    const back = `/dashboard/sign-in?to=${encodeURIComponent(`/dashboard/welcome/${token}`)}`;
    expect(markup).toContain(`href="${back}"`);
    const signedIn = await guest.post('/dashboard/sign-in', {
      email: member.user.email,
      password: PASSWORD,
      to: `/dashboard/welcome/${token}`,
    });
    expect(signedIn.headers.get('location')).toBe(`/dashboard/welcome/${token}`);
    const joined = await guest.post(`/dashboard/welcome/${token}`, { join: 'yes' });
    expect(joined.status).toBe(303);
  });

  test('reveals no accounts without a valid link', async () => {
    const { owner } = await makeTeam();
    const guest = visitor(instance);
    const fields = { new_password: PASSWORD };
    const answers = [owner.user.email, 'nobody@example.com'].map(async (email) => {
      const answer = await guest.post(`/dashboard/welcome/${'x'.repeat(43)}`, { ...fields, email });
      return [answer.status, withoutNonce(await answer.text())];
    });
    const [known, unknown] = await Promise.all(answers);
    expect(known).toEqual(unknown ?? []);
    expect(known?.[0]).toBe(404);
  });

  test('lets only signed-in users join', async () => {
    const { team, owner } = await makeTeam();
    const token = await invite(owner, 'viewer');
    const answer = await visitor(instance).post(`/dashboard/welcome/${token}`, { join: 'yes' });
    expect(answer.headers.get('location')).toStartWith('/dashboard/sign-in?to=');
    expect(await invitations(team)).toHaveLength(1);
  });

  test('lets one of several concurrent users join', async () => {
    const { team, owner } = await makeTeam();
    const token = await invite(owner, 'viewer');
    const guests = await Promise.all(Array.from({ length: 4 }, async () => (await makeTeam()).owner));
    const statuses = await Promise.all(
      guests.map(async (guest) => (await guest.post(`/dashboard/welcome/${token}`, { join: 'yes' })).status),
    );
    expect(statuses.sort()).toEqual([303, 404, 404, 404]);
    expect(Object.keys(await rolesIn(team))).toHaveLength(2);
  });

  test('stops working when revoked, and cannot be revoked by another team', async () => {
    const { team, owner } = await makeTeam();
    const { owner: stranger } = await makeTeam();
    const token = await invite(owner, 'viewer');
    const path = `/dashboard/team/invitations/${hashToken(token)}/revoke`;
    expect((await stranger.post(path)).status).toBe(404);
    expect((await owner.post(path)).headers.get('location')).toBe('/dashboard/team?done=revoked');
    expect((await owner.post(path)).status).toBe(404);
    expect((await stranger.get(`/dashboard/welcome/${token}`)).status).toBe(404);
    expect((await stranger.post(`/dashboard/welcome/${token}`, { join: 'yes' })).status).toBe(404);
    const fields = { email: 'late@example.com', new_password: PASSWORD };
    expect((await visitor(instance).post(`/dashboard/welcome/${token}`, fields)).status).toBe(404);
    expect(await rolesIn(team)).toEqual({ [owner.user.email]: 'owner' });
  });

  test('expires after 7 days', async () => {
    const { team } = await makeTeam();
    const { token } = await createInvitation(instance.context, {
      teamId: team.teamId,
      role: 'viewer',
      email: null,
      createdBy: null,
    });
    const start = now;
    now += INVITATION_TTL - SECOND;
    expect((await visitor(instance).get(`/dashboard/welcome/${token}`)).status).toBe(200);
    now += SECOND;
    expect((await visitor(instance).get(`/dashboard/welcome/${token}`)).status).toBe(404);
    expect(await invitations(team)).toEqual([]);
    expect(INVITATION_TTL).toBe(7 * DAY);
    now = start;
  });

  test('rejects an invalid address and keeps the input', async () => {
    const { team, owner } = await makeTeam();
    const answer = await owner.post('/dashboard/team/invitations', { role: 'editor', email: 'nobody' });
    expect(answer.status).toBe(400);
    const markup = await answer.text();
    expect(markup).toContain('value="nobody"');
    expect(markup).toContain('<option value="editor" selected');
    expect(await invitations(team)).toEqual([]);
  });
});

describe('an emailed invitation', () => {
  test('contains the link, which is not stored, and reports a failure', async () => {
    const smtp = await startSmtp();
    const mailing = await startAtBaseUrl({ SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' });
    const owner = await signIn(mailing, mailing.owner);
    const made = await owner.post('/dashboard/team/invitations', { role: 'viewer', email: 'new@example.com' });
    const markup = await made.text();
    expect(markup).toContain(t.mailed('new@example.com'));
    const link = `${mailing.url}/dashboard/welcome/${tokenIn(markup)}`;
    expect(smtp.mails).toHaveLength(1);
    expect(smtp.mails[0]?.to).toEqual(['new@example.com']);
    const mail = await new PostalMime().parse(smtp.mails[0]?.raw ?? '');
    expect(mail.subject).toBe('Invitation to the team “Team”');
    expect(mail.text).toContain(`\n${link}\n`);
    expect(mail.html).toContain(`href="${link}"`);
    expect(mail.text).toContain(`${owner.user.email} invited you`);
    expect(mail.text).toContain('where you can read submissions.');
    expect(mail.text).not.toContain('see only');
    expect(markup).toContain(link);
    expect(mailing.logs.join('')).not.toContain(tokenIn(markup));
    expect(mailing.logs.join('')).not.toContain('new@example.com');
    const workspace = mailing.owner.workspaceId;
    const some = { role: 'editor', email: 'some@example.com', workspaces: 'some', workspace };
    await owner.post('/dashboard/team/invitations', some);
    const limited = await new PostalMime().parse(smtp.mails[1]?.raw ?? '');
    expect(limited.text).toContain('You’ll see only: Workspace.');
    await smtp.stop();
    const failed = await owner.post('/dashboard/team/invitations', { role: 'viewer', email: 'later@example.com' });
    expect(await failed.text()).toContain(t.notMailed('later@example.com'));
    await mailing.stop();
  });

  test('has a limit of mails per hour', async () => {
    const smtp = await startSmtp();
    const mailing = await startAtBaseUrl({ SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' });
    const owner = await signIn(mailing, mailing.owner);
    const ask = async (email: string) =>
      (await owner.post('/dashboard/team/invitations', { role: 'viewer', email })).status;
    const statuses: number[] = [];
    for (let count = 0; count < 31; count++) statuses.push(await ask(`guest${count}@example.com`));
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
    expect(await ask('')).toBe(200);
    expect(smtp.mails).toHaveLength(30);
    await mailing.stop();
    await smtp.stop();
  });
});

describe('the team switch', () => {
  test('is in the menu of the team, for users in several teams only', async () => {
    const { team, owner, join } = await makeTeam();
    const other = await makeTeam();
    expect(await owner.page('/dashboard/forms')).not.toContain('/dashboard/team/switch');
    await instance.context.store.members.add(other.team.teamId, owner.user.id, 'viewer');
    const page = await owner.page('/dashboard/forms');
    expect(page).toContain(`value="${team.teamId}" aria-pressed="true"`);
    expect(page).toContain(team.form.id);
    const switched = await owner.post('/dashboard/team/switch', { team: other.team.teamId });
    expect(switched.headers.get('location')).toBe('/dashboard/forms');
    const after = await owner.page('/dashboard/forms');
    expect(after).toContain(`value="${other.team.teamId}" aria-pressed="true"`);
    expect(after).toContain(other.team.form.id);
    expect(after).not.toContain(team.form.id);
    // The role is that of the team that is shown.
    expect((await owner.get('/dashboard/forms/new')).status).toBe(403);
    expect((await owner.get(`/dashboard/forms/${team.form.id}/submissions`)).status).toBe(404);
    expect(await (await join('viewer')).page('/dashboard/forms')).not.toContain('/dashboard/team/switch');
  });

  test('refuses a team without a membership', async () => {
    const { team, owner } = await makeTeam();
    const other = await makeTeam();
    for (const id of [other.team.teamId, 'team_none', '']) {
      expect((await owner.post('/dashboard/team/switch', { team: id })).status).toBe(404);
    }
    expect(await owner.page('/dashboard/forms')).toContain(team.form.id);
  });

  test('applies to one session', async () => {
    const { team, owner } = await makeTeam();
    const other = await makeTeam();
    await instance.context.store.members.add(other.team.teamId, owner.user.id, 'viewer');
    const elsewhere = visitor(instance);
    await elsewhere.post('/dashboard/sign-in', { email: owner.user.email, password: PASSWORD });
    await owner.post('/dashboard/team/switch', { team: other.team.teamId });
    expect(await (await elsewhere.get('/dashboard/forms')).text()).toContain(team.form.id);
  });
});

test('an owner renames the team, and a wrong name shows an error', async () => {
  const { team, owner, join } = await makeTeam();
  expect((await owner.post('/dashboard/team/name', { name: ' Harps & Co ' })).status).toBe(303);
  expect(await owner.page('/dashboard/team?done=renamed')).toContain('<span class="name">Harps &amp; Co</span>');
  const wrong = await owner.post('/dashboard/team/name', { name: ' ' });
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining(EN.errors.invalid_name(200))]);
  expect((await (await join('editor')).post('/dashboard/team/name', { name: 'Mine' })).status).toBe(403);
  expect((await instance.context.store.teams.find(team.teamId))?.name).toBe('Harps & Co');
});

describe('a new team', () => {
  test('has a workspace and its creator as owner, who sees it at once', async () => {
    const { team, owner } = await makeTeam();
    expect((await owner.post('/dashboard/team/new', { name: 'Lutes' })).headers.get('location')).toBe(
      '/dashboard/team?done=created',
    );
    const created = await owner.team();
    expect(created).not.toBe(team.teamId);
    const { store } = instance.context;
    expect(await store.teams.find(created)).toMatchObject({ name: 'Lutes', plan: 'unlimited' });
    expect(await store.workspaces.list(created)).toHaveLength(1);
    expect(await store.members.list(created)).toMatchObject([{ userId: owner.user.id, role: 'owner' }]);
    expect(await owner.page('/dashboard/forms')).toContain(`value="${created}" aria-pressed="true"`);
  });

  test('is refused to who owns twenty teams', async () => {
    const owner = await signIn(instance, await instance.makeOwner());
    for (let count = 1; count < 20; count++) await owner.post('/dashboard/team/new', { name: `Team ${count}` });
    const refused = await owner.post('/dashboard/team/new', { name: 'One more' });
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining(EN.errors.too_many_teams(20)),
    ]);
    expect(await instance.context.store.users.listMemberships(owner.user.id)).toHaveLength(20);
  });

  test('needs a plan without a limit, so that nobody gets around one', async () => {
    const owner = await signIn(instance, await instance.makeOwner('free'));
    expect(await owner.page('/dashboard/team/new')).toContain(TEAM_TEXTS.en.createTeamLimited);
    expect((await owner.post('/dashboard/team/new', { name: 'Lutes' })).status).toBe(403);
    expect(await instance.context.store.users.listMemberships(owner.user.id)).toHaveLength(1);
  });
});
