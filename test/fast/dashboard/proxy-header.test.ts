import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { newId } from '../../../src/lib/ids.ts';
import { createInvitation, createWelcomeLink } from '../../../src/services/users/accounts.ts';
import { hashToken } from '../../../src/services/users/sessions.ts';
import { totpSecretAad } from '../../../src/vault/vault.ts';
import { queryDatabase } from '../../support/database-rows.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { makeAccount, PASSWORD } from './signed-in.ts';
import { settle, type Visitor, visitor } from './visitor.ts';

const SIGN_OUT_URL = 'https://login.example.com/logout';

/** A browser behind a proxy that names a user. */
const behindProxy = (instance: Instance, email: string) => visitor(instance, { 'Remote-Email': email });

/** Follows redirects within the instance. */
async function open(browser: Visitor, path: string): Promise<Response> {
  for (let hops = 0, to = path; hops < 8; hops++) {
    const answer = await browser.get(to);
    const location = answer.headers.get('location');
    if (location === null) return answer;
    to = location;
  }
  throw new Error('redirects in a circle');
}

describe('behind a proxy that names the user', () => {
  let instance: Instance;
  beforeAll(async () => {
    const env = { AUTH_HEADER: 'Remote-Email', TRUSTED_PROXIES: '127.0.0.1', AUTH_SIGN_OUT_URL: SIGN_OUT_URL };
    instance = await startInstance({ env });
  });
  afterAll(() => instance.stop());

  test('an account is signed in and returns to the page that was opened', async () => {
    const user = await makeAccount(instance, instance.owner);
    const browser = behindProxy(instance, ` ${user.email.toUpperCase()} `);
    const first = await browser.get('/dashboard/forms?archived=yes');
    expect(first.headers.get('location')).toBe(
      `/dashboard/sign-in/proxy?to=${encodeURIComponent('/dashboard/forms?archived=yes')}`,
    );
    const back = await browser.get(first.headers.get('location') ?? '');
    expect(back.headers.get('location')).toBe('/dashboard/forms?archived=yes');
    expect((await browser.get('/dashboard/forms')).status).toBe(200);
    const sessions = queryDatabase(instance.dataDir, `SELECT method FROM sessions WHERE user_id = '${user.id}'`);
    expect(sessions).toEqual([{ method: 'header' }]);
    const log = queryDatabase(instance.dataDir, `SELECT action FROM audit WHERE actor_id = '${user.id}'`);
    expect(log).toEqual([{ action: 'signed_in' }]);
  });

  test('an invited address gets its account, and another one a sentence', async () => {
    const { teamId } = instance.owner;
    await createInvitation(instance.context, { teamId, role: 'viewer', email: 'new@x.example', createdBy: null });
    const answer = await open(behindProxy(instance, 'new@x.example'), '/dashboard/forms');
    expect(answer.status).toBe(200);
    const user = await instance.context.store.users.findByEmail('new@x.example');
    expect(user?.passwordHash).toBeNull();
    expect(await instance.context.store.users.listMemberships(user?.id ?? '')).toMatchObject([{ role: 'viewer' }]);

    const refused = await open(behindProxy(instance, 'stranger@x.example'), '/dashboard/forms');
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('There is no account for stranger@x.example.');
    expect(await instance.context.store.users.findByEmail('stranger@x.example')).toBeNull();
  });

  test('the link of an invitation creates the account that the proxy names', async () => {
    const { teamId } = instance.owner;
    const to = { teamId, role: 'editor', email: null, createdBy: null } as const;
    const { token } = await createInvitation(instance.context, to);
    const { users } = instance.context.store;
    const browser = behindProxy(instance, 'linked@x.example');
    const asked = await open(browser, `/dashboard/welcome/${token}`);
    expect([asked.status, await asked.text()]).toEqual([200, expect.stringContaining('linked@x.example')]);
    // Any site can lead here, but only our own page can answer.
    const path = `/dashboard/sign-in/proxy?to=${encodeURIComponent(`/dashboard/welcome/${token}`)}`;
    expect((await browser.post(path, {}, { Origin: 'https://evil.example' })).status).toBe(403);
    expect(await users.findByEmail('linked@x.example')).toBeNull();
    expect((await browser.post(path, { join: 'yes' })).status).toBe(303);
    expect((await browser.get('/dashboard/forms')).status).toBe(200);
    const user = await users.findByEmail('linked@x.example');
    expect(await users.listMemberships(user?.id ?? '')).toMatchObject([{ role: 'editor' }]);
  });

  test('an invitation past the proxy registers only the address that it was made for', async () => {
    const to = { teamId: instance.owner.teamId, role: 'viewer', email: 'own@x.example', createdBy: null } as const;
    const { token } = await createInvitation(instance.context, to);
    const browser = visitor(instance);
    const path = `/dashboard/welcome/${token}`;
    expect(await (await browser.get(`${path}?email=other@x.example`)).text()).toMatch(
      /<input(?=[^>]* value="own@x\.example")[^>]* readonly/,
    );
    const answer = await browser.post(path, { email: 'other@x.example', new_password: PASSWORD });
    expect(answer.status).toBe(303);
    const { users } = instance.context.store;
    expect(await users.findByEmail('other@x.example')).toBeNull();
    expect(await users.findByEmail('own@x.example')).not.toBeNull();

    const open = await createInvitation(instance.context, { ...to, email: null });
    const taken = { email: 'boss@x.example', new_password: PASSWORD };
    const refused = await visitor(instance).post(`/dashboard/welcome/${open.token}`, taken);
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('at its public address')]);
    expect(await users.findByEmail('boss@x.example')).toBeNull();
  });

  test('a newcomer is asked in the browser of a member too', async () => {
    const { browser } = await settle(instance);
    const { teamId } = instance.owner;
    const { token } = await createInvitation(instance.context, {
      teamId,
      role: 'viewer',
      email: null,
      createdBy: null,
    });
    const cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const path = `/dashboard/sign-in/proxy?to=${encodeURIComponent(`/dashboard/welcome/${token}`)}`;
    const asked = await behindProxy(instance, 'second@x.example').get(path, { Cookie: cookie });
    const page = await asked.text();
    expect(page).toContain('This creates an account for second@x.example.');
    expect(page).toContain('name="join"');
  });

  test('a session of somebody else is replaced, and one by the header is void without it', async () => {
    const ada = await settle(instance);
    const grace = await makeAccount(instance, instance.owner);
    const cookie = Array.from(ada.browser.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const mixed = await behindProxy(instance, grace.email).get('/dashboard/account', { Cookie: cookie });
    expect([mixed.status, mixed.headers.get('location')]).toEqual([
      303,
      '/dashboard/sign-in/proxy?to=%2Fdashboard%2Faccount',
    ]);
    const changed = await behindProxy(instance, grace.email).post(
      '/dashboard/account/theme',
      { theme: 'dark' },
      { Cookie: cookie },
    );
    expect(changed.headers.get('location')).toBe('/dashboard/sign-in/proxy');
    expect((await instance.context.store.users.find(ada.user.id))?.theme).toBeNull();

    const proxied = behindProxy(instance, grace.email);
    expect((await open(proxied, '/dashboard/account')).status).toBe(200);
    const stolen = Array.from(proxied.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const without = await visitor(instance).get('/dashboard/account', { Cookie: stolen });
    expect(without.headers.get('location')).toStartWith('/dashboard/sign-in');
    const posted = await visitor(instance).post('/dashboard/account/theme', { theme: 'dark' }, { Cookie: stolen });
    expect(posted.headers.get('location')).toStartWith('/dashboard/sign-in');
    expect((await instance.context.store.users.find(grace.id))?.theme).toBeNull();
  });

  test('a second factor is still asked for', async () => {
    const user = await makeAccount(instance, instance.owner);
    const secret = instance.context.vault.seal('secret', totpSecretAad(user.id));
    const factor = { secret, step: 0, codeHashes: [] };
    await instance.context.store.secondFactors.add(user.id, factor, '');
    const browser = behindProxy(instance, user.email);
    const answer = await open(browser, '/dashboard/account');
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('/dashboard/second-factor')]);
    expect((await browser.get('/dashboard/account')).headers.get('location')).toStartWith('/dashboard/second-factor');
  });

  test('no page asks for a password, and the sign-out leads to that of the proxy', async () => {
    const user = await makeAccount(instance, instance.owner);
    const browser = behindProxy(instance, user.email);
    const page = await open(browser, '/dashboard/account/delete');
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://login.example.com;");
    expect(await page.text()).not.toContain('name="password"');
    const secret = browser.cookies.get('formstead_session');
    const out = await browser.post('/dashboard/sign-out');
    expect([out.status, out.headers.get('location')]).toEqual([303, SIGN_OUT_URL]);
    expect(browser.cookies.has('formstead_session')).toBe(false);
    const again = await browser.get('/dashboard/account', { Cookie: `formstead_session=${secret}` });
    expect(again.headers.get('location')).toStartWith('/dashboard/sign-in/proxy');
  });

  test('passwords work without the header', async () => {
    const { browser } = await settle(instance);
    expect((await browser.get('/dashboard/account')).status).toBe(200);
    expect((await browser.post('/dashboard/sign-out')).headers.get('location')).toBe('/dashboard/sign-in?done=out');
  });

  test.each([
    ['two addresses', 'ada@x.example, grace@x.example'],
    ['a name', 'ada'],
    ['an address with a comment', 'ada@x.example (grace@x.example)'],
    ['a line of several', 'ada@x.example;grace@x.example'],
  ])('%s in the header are refused', async (_, value) => {
    const answer = await behindProxy(instance, value).get('/dashboard/forms');
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
  });

  test('a client without cookies gets no more than sixty sessions', async () => {
    const user = await makeAccount(instance, instance.owner);
    const statuses: number[] = [];
    for (let n = 0; n < 62; n++) {
      statuses.push((await behindProxy(instance, user.email).get('/dashboard/sign-in/proxy')).status);
    }
    expect(statuses.slice(58)).toEqual([303, 303, 429, 429]);
  });
});

describe('a request with the header that is not from a trusted proxy', () => {
  let instance: Instance;
  let email = '';
  beforeAll(async () => {
    const env = { AUTH_HEADER: 'Remote-Email', TRUSTED_PROXIES: '10.1.2.3,192.0.2.0/24' };
    instance = await startInstance({ env });
    ({ email } = await makeAccount(instance, instance.owner));
  });
  afterAll(() => instance.stop());

  const send = (path: string, headers: Record<string, string>, method = 'GET') =>
    fetch(instance.url + path, {
      method,
      redirect: 'manual',
      headers: { Origin: new URL(instance.url).origin, ...headers },
      ...(method === 'POST' && { body: new URLSearchParams({ email, password: PASSWORD }) }),
    });

  test('gets 403 on every address of the dashboard, whatever else it claims', async () => {
    const named = { 'Remote-Email': email };
    const forgeries: Array<readonly [string, Record<string, string>, string?]> = [
      ['/dashboard', named],
      ['/dashboard/forms', named],
      ['/dashboard/forms', { 'remote-email': email }],
      ['/dashboard/forms', { 'REMOTE-EMAIL': '' }],
      ['/dashboard/sign-in', named],
      ['/dashboard/sign-in', named, 'POST'],
      ['/dashboard/sign-out', named, 'POST'],
      ['/dashboard/sign-in/proxy', named],
      ['/dashboard/oidc/start', named],
      ['/dashboard/nowhere/at/all', named],
      ['/dashboard/nowhere', named, 'DELETE'],
      ['/dashboard/forms', named, 'HEAD'],
      ['/dashboard/assets/x/dashboard.css', named],
      ['/dashboard/forms', { ...named, 'X-Forwarded-For': '10.1.2.3' }],
      ['/dashboard/forms', { ...named, 'X-Forwarded-For': '192.0.2.1', 'X-Real-IP': '10.1.2.3' }],
      ['/dashboard/forms', { ...named, Forwarded: 'for=10.1.2.3;by=10.1.2.3' }],
      ['/dashboard/forms', { ...named, Host: '10.1.2.3' }],
      ['/dashboard/forms', { ...named, Connection: 'Remote-Email, close' }],
      ['/dashboard/forms', { ...named, Via: '1.1 10.1.2.3', 'CF-Connecting-IP': '10.1.2.3' }],
    ];
    for (const [path, headers, method] of forgeries) {
      const answer = await send(path, headers, method);
      expect([path, headers, method, answer.status]).toEqual([path, headers, method, 403]);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    const { browser } = await settle(instance);
    expect((await browser.get('/dashboard/account', named)).status).toBe(403);
    const lines = instance.logs.filter((line) => line.includes('AUTH_HEADER'));
    expect(lines).toHaveLength(1);
    expect(lines.join()).not.toContain(email);
  });

  test('works outside the dashboard, and underscores are another header', async () => {
    expect((await send('/healthz', { 'Remote-Email': email })).status).toBe(200);
    expect((await send('/dashboard/sign-in', { Remote_Email: email })).status).toBe(200);
  });
});

test('everyone whom the proxy lets in joins the team of AUTH_HEADER_JOIN; an unknown team lets nobody in', async () => {
  const env = { AUTH_HEADER: 'Remote-Email', TRUSTED_PROXIES: '127.0.0.1', AUTH_HEADER_JOIN: 'team_none:owner' };
  const instance = await startInstance({ env });
  expect((await open(behindProxy(instance, 'a@x.example'), '/dashboard/forms')).status).toBe(403);
  expect(instance.logs.join()).toContain('names a team that does not exist');
  await instance.stop();

  const joined = await startInstance({
    env: { ...env, AUTH_HEADER_JOIN: '' },
    config: { authHeaderJoin: { teamId: 'team_1', role: 'editor' } },
  });
  const now = joined.context.clock();
  const flags = { requiresSecondFactor: false, learnsSpam: true, setUpAt: null, createdAt: now };
  await joined.context.store.teams.create({ id: 'team_1', name: 'Team', plan: 'unlimited', ...flags });
  expect((await open(behindProxy(joined, 'b@x.example'), '/dashboard/forms')).status).toBe(200);
  const user = await joined.context.store.users.findByEmail('b@x.example');
  expect(await joined.context.store.users.listMemberships(user?.id ?? '')).toMatchObject([
    { role: 'editor', team: { id: 'team_1' } },
  ]);
  await joined.stop();
});

test('who joins as a viewer before any owner is no operator, and leaves the link of the owner', async () => {
  const fresh = await startInstance();
  const { context, owner } = fresh;
  const links = [
    await createWelcomeLink(context, owner.teamId),
    await createWelcomeLink(context, owner.teamId, 'viewer'),
  ];
  const join = async ({ token }: Readonly<{ token: string }>) => {
    const id = newId('usr');
    const person = { name: null, theme: null, language: null, timeZone: null, createdAt: 0 };
    const isNew = await context.store.users.createByLink(
      hashToken(token),
      { id, email: `${id}@x.example`, ...person },
      '',
    );
    return [isNew, await context.store.users.isOperator(id)];
  };
  const [ofOwner, ofViewer] = links as [(typeof links)[number], (typeof links)[number]];
  expect(await join(ofViewer)).toEqual([true, false]);
  expect(await join(ofOwner)).toEqual([true, true]);
  await fresh.stop();
});
