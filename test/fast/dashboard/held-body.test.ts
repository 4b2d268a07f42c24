import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Instance, type Owner, startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { exchange } from '../visitor/wire.ts';
import { type SignedIn, signIn } from './signed-in.ts';

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance();
});
afterAll(() => instance.stop());

/** Posts as a browser that sends the last of the body only after `meanwhile`. */
async function postHeld(who: SignedIn, path: string, fields: Record<string, string>, meanwhile: () => unknown) {
  const { cookie } = who;
  const body = new URLSearchParams({ page_team: await who.team(), ...fields }).toString();
  const { host, origin } = new URL(instance.url);
  const lines = [`Host: ${host}`, `Origin: ${origin}`, `Cookie: ${cookie}`, 'Connection: close'];
  const head = [`POST ${path} HTTP/1.1`, ...lines, `Content-Length: ${body.length}`, '', ''].join('\r\n');
  return exchange(instance, head + body.slice(0, 3), async () => {
    // The server reads connections in order, so it has the beginning by the time it answers another request.
    await (await fetch(`${instance.url}/healthz`)).arrayBuffer();
    await meanwhile();
    return body.slice(3);
  });
}

/** What an owner could leave behind in a team. */
async function leftIn({ teamId }: Owner) {
  const { store } = instance.context;
  const [invitations, keys, workspaces] = [store.members.listInvitations, store.keys.list, store.workspaces.list];
  return { invitations: await invitations(teamId), keys: await keys(teamId), workspaces: await workspaces(teamId) };
}

const ACTIONS = [
  ['/dashboard/team/invitations', { role: 'owner' }],
  ['/dashboard/keys', { name: 'Kept', scope: 'read_write', expires: '' }],
  ['/dashboard/workspaces', { name: 'Kept' }],
] as const;

test.each(ACTIONS)('%s does what it is asked once the body has come, for who still may', async (path, fields) => {
  const team = await instance.makeOwner();
  const before = await leftIn(team);
  const answer = await postHeld(await signIn(instance, team), path, fields, () => {});
  expect(answer.status).toBeLessThan(400);
  expect(await leftIn(team)).not.toEqual(before);
});

test.each(ACTIONS)('%s does nothing for who has lost that while the body came', async (path, fields) => {
  const { store } = instance.context;
  const team = await instance.makeOwner();
  await signIn(instance, team);
  const before = await leftIn(team);
  for (const [lose, status] of [
    [({ user }: SignedIn) => store.members.deleteUser(user.id), 303],
    [({ user }: SignedIn) => store.sessions.endAll(user.id), 303],
    [({ user }: SignedIn) => store.members.changeRole(team.teamId, user.id, 'viewer'), 403],
    [({ user }: SignedIn) => store.members.remove(team.teamId, user.id), 403],
  ] as const) {
    const owner = await signIn(instance, team);
    const answer = await postHeld(owner, path, fields, () => lose(owner));
    expect(answer.status).toBe(status);
    if (status === 303) expect(answer.headers.get('location')).toBe('/dashboard/sign-in?done=expired');
    expect(await leftIn(team)).toEqual(before);
  }
});

test.each([
  ['without a session cookie', ['Content-Length: 4'], ''],
  [
    'of 20 KB with a made-up session cookie',
    ['Cookie: formstead_session=made-up', 'Content-Length: 20000'],
    '?done=expired',
  ],
  [
    'of unknown length with a made-up one',
    ['Cookie: formstead_session=made-up', 'Transfer-Encoding: chunked'],
    '?done=expired',
  ],
])('a post %s is redirected before its body is read', async (_case, headers, notice) => {
  const { host, origin } = new URL(instance.url);
  const lines = [`Host: ${host}`, `Origin: ${origin}`, ...headers, 'Connection: close'];
  const head = ['POST /dashboard/keys HTTP/1.1', ...lines, '', ''].join('\r\n');
  const answer = await exchange(instance, head, async (answered) => {
    await until(() => answered().startsWith('HTTP/1.1 303 '), 'the redirect');
    return 'a=bc';
  });
  expect(answer.headers.get('location')).toBe(`/dashboard/sign-in${notice}`);
});
