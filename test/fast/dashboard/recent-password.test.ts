import { afterAll, beforeAll, expect, test } from 'bun:test';
import { CATALOG } from '../../../src/dashboard/ui/texts.ts';
import { ACCOUNT_TEXTS } from '../../../src/dashboard/users/account/texts.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { PASSWORD, type SignedIn, signIn } from './signed-in.ts';
import { errorOn } from './visitor.ts';

const EN = CATALOG.textsIn('en');

let now = Date.UTC(2026, 10, 21, 8) * 1000;
let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ clock: () => ++now });
});
afterAll(() => instance.stop());

const { title } = EN.recentPassword;

/** Returns the fields of the form that asks for the password. */
function fieldsOf(markup: string): Record<string, string> {
  const form = /<form[^>]*class="card".*?<\/form>/s.exec(markup)?.[0] ?? '';
  const inputs = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return Object.fromEntries(Array.from(inputs, ([, name = '', value = '']) => [name, value]));
}

const ACTIONS: ReadonlyArray<readonly [path: (other: SignedIn) => string, fields: Record<string, string>]> = [
  [() => '/dashboard/keys', { name: 'Nightly "sync"', scope: 'read_write', life: '90' }],
  [() => '/dashboard/team/invitations', { role: 'owner', email: 'friend@example.com' }],
  [({ user }) => `/dashboard/team/members/${user.id}`, { role: 'owner' }],
];

test('a new webhook and another address need the password, other changes do not', async () => {
  const team = await instance.makeOwner();
  const me = await signIn(instance, team);
  const { store } = instance.context;
  const list = `/dashboard/forms/${team.form.id}/webhooks`;
  const only = async () => (await store.webhooks.list(team.form.id))[0];
  const asks = async (path: string, fields: Record<string, string>) =>
    (await (await me.post(path, fields)).text()).includes(title);
  now += 11 * MINUTE;
  const input = { kind: 'telegram', url: 'http://127.0.0.1:1/bot1:abc/sendMessage', event: 'submission.created' };
  const created = { ...input, body: 'full', chat: '-100' };
  expect(await asks(`${list}/new`, { ...created, add: 'yes' })).toBe(false);
  expect(await asks(`${list}/new`, created)).toBe(true);
  expect(await only()).toBeUndefined();
  expect(await asks(`${list}/new`, { ...created, password: PASSWORD })).toBe(false);
  const webhook = await only();
  expect(webhook?.createdBy).toBe(me.user.id);

  now += 11 * MINUTE;
  const settings = `${list}/${webhook?.id}/settings`;
  const same = { event: 'submission.created', url: '', chat: '-100', body: 'thin' };
  expect(await asks(settings, same)).toBe(false);
  expect((await only())?.body).toBe('thin');
  const before = await only();
  for (const changed of [{ url: 'http://127.0.0.1:2/bot1:abc/sendMessage' }, { chat: '-200' }]) {
    expect(await asks(settings, { ...same, ...changed })).toBe(true);
    expect(await asks(settings, { ...same, ...changed, try: 'yes' })).toBe(false);
  }
  expect(await only()).toEqual(before);
});

const stateOf = async (teamId: string) => {
  const { store } = instance.context;
  const keys = (await store.keys.list(teamId)).map(({ name, scope }) => [name, scope]);
  return [
    keys,
    (await store.members.listInvitations(teamId)).length,
    (await store.members.list(teamId)).map(({ role }) => role),
  ];
};

test.each(ACTIONS)(
  '%p asks for the password after ten minutes, goes on with the input, and renews the session',
  async (pathOf, fields) => {
    const team = await instance.makeOwner();
    const me = await signIn(instance, team);
    const path = pathOf(await signIn(instance, team, {}, 'editor'));
    const before = await stateOf(team.teamId);
    now += 11 * MINUTE;
    const asked = await me.post(path, fields);
    const markup = await asked.text();
    expect(markup).toContain(title);
    expect(await stateOf(team.teamId)).toEqual(before);
    const kept = fieldsOf(markup);
    expect(kept).toMatchObject({ ...fields, ...(fields.name && { name: 'Nightly &quot;sync&quot;' }) });
    const wrong = await me.post(path, { ...fields, password: 'not that one' });
    expect([wrong.status, await errorOn(wrong)]).toEqual([400, ACCOUNT_TEXTS.en.wrongPassword]);
    expect(await stateOf(team.teamId)).toEqual(before);

    const { cookie } = me;
    const done = await me.post(path, { ...fields, password: PASSWORD });
    expect(done.status).toBeLessThan(400);
    expect(await done.text()).not.toContain(title);
    const after = await stateOf(team.teamId);
    expect(after).not.toEqual(before);
    if (fields.name) expect(after[0]).toContainEqual([fields.name, fields.scope ?? '']);
    const entries = await instance.context.store.audit.listFrom(team.teamId, { since: 0, after: 0, limit: 10 });
    expect(entries.map(({ action }) => action)).toHaveLength(1);

    now += 5 * MINUTE;
    const second = { name: 'Second', scope: 'read' };
    const stolen = await me.post('/dashboard/keys', second, { Cookie: cookie });
    expect(stolen.headers.get('location')).toBe('/dashboard/sign-in?done=expired');
    const answer = await me.post('/dashboard/keys', second);
    expect([answer.status, (await answer.text()).includes(title)]).toEqual([200, false]);
  },
);

test('wrong passwords are limited, and a role without access is refused before the password is asked', async () => {
  const team = await instance.makeOwner();
  const [me, editor] = [await signIn(instance, team), await signIn(instance, team, {}, 'editor')];
  now += 11 * MINUTE;
  const fields = { name: 'Guess', scope: 'read' };
  expect((await editor.post('/dashboard/keys', fields)).status).toBe(403);
  for (let count = 0; count < 10; count++) await me.post('/dashboard/keys', { ...fields, password: `wrong ${count}` });
  expect((await me.post('/dashboard/keys', { ...fields, password: PASSWORD })).status).toBe(429);
  expect(JSON.stringify(await stateOf(team.teamId))).not.toContain('Guess');
});
