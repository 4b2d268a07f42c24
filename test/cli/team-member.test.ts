import { expect, test } from 'bun:test';
import { PASSWORD } from '../fast/dashboard/signed-in.ts';
import { spawnServer } from '../support/process.ts';
import { expectRefused, instances, json, type Resource, run } from './command-line.ts';

const fresh = instances();

type Link = Readonly<{ link: string }>;
type Member = Readonly<{ id: string; email: string; role: string; since: string }>;

/** Starts a server and creates accounts with these roles in its first team. */
async function startWith(roles: Readonly<Record<string, string>>) {
  const dataDir = fresh();
  const server = await spawnServer(dataDir);
  for (const [email, role] of Object.entries(roles)) {
    const { link } = await json<Link>(dataDir, ['user', 'create', '--role', role]);
    const answer = await fetch(server.url + new URL(link).pathname, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: server.url },
      body: new URLSearchParams({ email, new_password: PASSWORD }),
    });
    expect(answer.status).toBe(303);
  }
  const [team] = await json<Resource[]>(dataDir, ['team', 'list']);
  const members = async (id = team?.id ?? '') =>
    (await json<Member[]>(dataDir, ['team', 'member', 'list', id])).map(({ email, role }) => [email, role]);
  return { dataDir, server, team: team?.id ?? '', members };
}

test('user create --role sets the role of the new account, and team member list prints all roles', async () => {
  const { dataDir, server, team, members } = await startWith({ 'ada@x.example': 'owner', 'bob@x.example': 'viewer' });
  expect(await members()).toEqual([
    ['ada@x.example', 'owner'],
    ['bob@x.example', 'viewer'],
  ]);
  const { stdout } = await run(dataDir, ['team', 'member', 'list', team]);
  expect(stdout.split('\n')[0]?.split(/ {2,}/)).toEqual(['id', 'email', 'role', 'workspaces', 'since']);
  await server.end();
});

test('team member set changes a role or adds a member; remove removes one', async () => {
  const { dataDir, server, team, members } = await startWith({ 'ada@x.example': 'owner', 'bob@x.example': 'viewer' });
  const account = ['--email', ' BOB@x.example'];
  const changed = await json<Member>(dataDir, ['team', 'member', 'set', team, ...account, '--role', 'editor']);
  expect(changed).toMatchObject({ email: 'bob@x.example', role: 'editor' });
  const other = await json<Resource>(dataDir, ['team', 'create', '--name', 'Other']);
  await json(dataDir, ['team', 'member', 'set', other.id, ...account, '--role', 'viewer']);
  expect(await members(other.id)).toEqual([['bob@x.example', 'viewer']]);
  expect(await members()).toContainEqual(['bob@x.example', 'editor']);
  expect(await json(dataDir, ['team', 'member', 'remove', team, ...account])).toMatchObject({ removed: true });
  expect(await members()).toEqual([['ada@x.example', 'owner']]);
  await server.end();
});

test('team member add and update name workspaces, which set keeps', async () => {
  const { dataDir, server, team } = await startWith({ 'ada@x.example': 'owner', 'bob@x.example': 'viewer' });
  const [first] = await json<Resource[]>(dataDir, ['workspace', 'list', '--team', team]);
  const second = await json<Resource>(dataDir, ['workspace', 'create', '--team', team, '--name', 'Second']);
  const other = await json<Resource>(dataDir, ['team', 'create', '--name', 'Other']);
  const foreign = await json<Resource>(dataDir, ['workspace', 'create', '--team', other.id, '--name', 'Foreign']);
  const of = (command: string, id: string, ...more: string[]) => {
    return ['team', 'member', command, id, '--email', 'bob@x.example', ...more];
  };
  const seen = async (command: string, ...more: string[]) =>
    (await json<Member & { workspaces: unknown }>(dataDir, of(command, team, ...more))).workspaces;
  const both = [second.id, first?.id ?? ''];
  expect(await seen('update', ...both.flatMap((id) => ['--workspace', id]))).toEqual(both);
  expect(await seen('update', '--workspace', second.id)).toEqual([second.id]);
  expect(await seen('set', '--role', 'editor')).toEqual([second.id]);
  await expectRefused(dataDir, [
    [of('update', team, '--workspace', foreign.id), new RegExp(foreign.id)],
    [of('update', team, '--workspace', 'wsp_none'), /wsp_none/],
    [of('update', team, '--workspace', 'all', '--workspace', second.id), /"all"/],
    [of('update', team, '--role', 'owner', '--workspace', second.id), /sees all/],
    [of('add', team, '--role', 'viewer'), /is a member already/],
    [of('update', other.id, '--role', 'viewer'), /is not a member/],
  ]);
  expect(await seen('update', '--workspace', 'all')).toBe('all');
  const added = await json<Member>(dataDir, of('add', other.id, '--role', 'viewer', '--workspace', foreign.id));
  expect(added).toMatchObject({ role: 'viewer', workspaces: [foreign.id] });
  const { stdout } = await run(dataDir, ['team', 'member', 'list', other.id]);
  expect(stdout).toContain(foreign.id);
  await server.end();
});

test('team member remove and set end invitations, print them, and revoke keys on request', async () => {
  const { dataDir, server, team } = await startWith({ 'ada@x.example': 'owner' });
  for (const [email, words] of [
    ['bob@x.example', ['remove']],
    ['eve@x.example', ['set', '--role', 'viewer']],
  ] as const) {
    const { link } = await json<Link>(dataDir, ['user', 'create']);
    const post = (path: string, fields: Record<string, string>, headers = {}) =>
      fetch(server.url + path, {
        method: 'POST',
        redirect: 'manual',
        headers: { Origin: server.url, ...headers },
        body: new URLSearchParams({ page_team: team, ...fields }),
      });
    const joined = await post(new URL(link).pathname, { email, new_password: PASSWORD });
    const Cookie = joined.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const invited = await post('/dashboard/team/invitations', { role: 'owner' }, { Cookie });
    const [invitation = ''] = /\/dashboard\/welcome\/[\w-]+/.exec(await invited.text()) ?? [];
    await post('/dashboard/keys', { name: 'One', scope: 'read' }, { Cookie });
    const [form] = await json<Resource[]>(dataDir, ['form', 'list', '--team', team]);
    const webhook = { kind: 'standard', url: 'https://hooks.example.com/x', event: 'submission.created', body: 'full' };
    await post(`/dashboard/forms/${form?.id}/webhooks/new`, webhook, { Cookie });
    await run(dataDir, ['form', 'update', form?.id ?? '', '--notify', email]);
    const webhooks = await json<Resource[]>(dataDir, ['webhook', 'list', '--form', form?.id ?? '']);
    const [verb, ...options] = words;
    const command = ['team', 'member', verb, team, '--email', email, ...options];
    const left = (await json<Resource[]>(dataDir, ['key', 'list', '--team', team])).at(-1)?.id ?? '';
    const kept = verb === 'set';
    expect(await json(dataDir, [...command, ...(kept ? [] : ['--revoke-keys'])])).toMatchObject({
      invitations_revoked: 1,
      keys_revoked: kept ? 0 : 1,
      keys_left: kept ? [left] : [],
      webhooks_left: [webhooks.at(-1)?.id],
      notified_by: [form?.id],
    });
    expect((await fetch(server.url + invitation)).status).toBe(404);
    const key = (
      await json<Array<{ id: string; revoked_at: string | null }>>(dataDir, ['key', 'list', '--team', team])
    ).at(-1);
    expect(key?.revoked_at === null).toBe(kept);
  }
  await server.end();
});

test('refuses invalid changes of members and changes nothing', async () => {
  const { dataDir, server, team, members } = await startWith({ 'ada@x.example': 'owner', 'bob@x.example': 'viewer' });
  const before = await members();
  const member = (...args: string[]) => ['team', 'member', ...args];
  const other = await json<Resource>(dataDir, ['team', 'create', '--name', 'Other']);
  await expectRefused(dataDir, [
    [member('list', 'team_none'), /no team "team_none"/],
    [
      member('set', team, '--email', 'eve@x.example', '--role', 'owner'),
      /there is no account with the email eve@x.example/,
    ],
    [member('set', team, '--email', 'eve', '--role', 'owner'), /is not an email address/],
    [member('set', team, '--email', 'ada@x.example', '--role', 'viewer'), /A team needs at least one owner/],
    [member('remove', team, '--email', 'ada@x.example'), /A team needs at least one owner/],
    [member('remove', other.id, '--email', 'ada@x.example'), /ada@x.example is not a member of this team/],
  ]);
  const wrong = await run(dataDir, member('set', team, '--email', 'bob@x.example', '--role', 'king'));
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('Allowed choices are owner, editor, viewer')]);
  expect((await run(dataDir, member('set', team, '--email', 'bob@x.example'))).code).toBe(2);
  expect(await members()).toEqual(before);
  await server.end();
});
