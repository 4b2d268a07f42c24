import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import type { SignInMethod } from '../../../src/domain/users/user.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { createInvitation, createResetLink } from '../../../src/services/users/accounts.ts';
import { startSession } from '../../../src/services/users/sessions.ts';
import { totpSecretAad } from '../../../src/vault/vault.ts';
import { queryDatabase } from '../../support/database-rows.ts';
import { ownAddress, startOnFreePort } from '../../support/free-port.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { startProvider, type TestProvider } from '../../support/oidc.ts';
import { makeAccount, PASSWORD } from './signed-in.ts';
import { errorOn, settle, type Visitor, visitor } from './visitor.ts';

type Resigned = Parameters<TestProvider['resign']>;

type World = Readonly<{ instance: Instance; provider: TestProvider; stop: () => Promise<void> }>;

/** Starts a provider and an instance that uses it. */
function startWorld(env: Record<string, string> = {}, isPublic = false, clock?: Clock): Promise<World> {
  return startOnFreePort(async (port) => {
    const own = ownAddress(port);
    const provider = await startProvider([`${own.BASE_URL}/dashboard/oidc/callback`], { isPublic });
    try {
      const instance = await startInstance({ env: { ...provider.env, ...own, ...env }, ...(clock && { clock }) });
      const stop = async () => {
        await instance.stop();
        await provider.stop();
      };
      return { instance, provider, stop };
    } catch (error) {
      await provider.stop();
      throw error;
    }
  });
}

const ENCRYPTION_KEY = 'ab'.repeat(32);

let count = 0;
const newPerson = (more: object = {}) => {
  const name = `person${++count}`;
  return { sub: name, email: `${name}@oidc.example`, email_verified: true, name: 'Ada Lovelace', ...more };
};

/** Signs in by the provider's pages. Returns the answer to its callback. */
async function signInBy({ provider }: World, browser: Visitor, to = '/dashboard/inbox'): Promise<Response> {
  return browser.get(await callbackFor(provider, browser, to));
}

/** Returns path and query with which the provider answers a sign-in that the browser begins. */
async function callbackFor(provider: TestProvider, browser: Visitor, to = '/dashboard/inbox'): Promise<string> {
  const start = await browser.get(`/dashboard/oidc/start?to=${encodeURIComponent(to)}`);
  expect(start.status).toBe(303);
  const { pathname, search } = await provider.approve(start.headers.get('location') ?? '');
  return pathname + search;
}

const isSignedIn = async (browser: Visitor) => (await browser.get('/dashboard/account')).status === 200;

const sessionOf = (browser: Visitor) => browser.cookies.get('formstead_session');

const identitiesOf = ({ context }: Instance, userId: string) => context.store.identities.list(userId);

describe('a sign-in by a provider', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    world.provider.setAway(null);
    for (const step of ['discovery', 'token', 'jwks', 'userinfo'] as const) world.provider.setAnswer(step, null);
  });

  /** Invites a person, who then has an account by the provider. */
  const join = async (person: ReturnType<typeof newPerson>): Promise<Visitor> => {
    const { instance, provider } = world;
    const to = { teamId: instance.owner.teamId, role: 'editor', email: person.email, createdBy: null } as const;
    await createInvitation(instance.context, to);
    provider.setPerson(person);
    const browser = visitor(instance);
    expect((await signInBy(world, browser)).status).toBe(303);
    return browser;
  };

  test('creates the account of an invited address, and signs in to it from then on', async () => {
    const { instance, provider } = world;
    const person = newPerson();
    const browser = await join(person);
    expect(await isSignedIn(browser)).toBe(true);
    const user = await instance.context.store.users.findByEmail(person.email);
    expect(user).toMatchObject({ email: person.email, name: 'Ada Lovelace', passwordHash: null });
    expect(await identitiesOf(instance, user?.id ?? '')).toMatchObject([
      { issuer: provider.issuer, subject: person.sub },
    ]);
    const memberships = await instance.context.store.users.listMemberships(user?.id ?? '');
    expect(memberships).toMatchObject([{ role: 'editor', team: { id: instance.owner.teamId } }]);

    const second = visitor(instance);
    const answer = await signInBy(world, second, '/dashboard/forms');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/forms']);
    expect(second.cookies.get('formstead_browser')).toBeString();
    expect(second.cookies.has('formstead_sign_in')).toBe(false);
    const rows = queryDatabase<Record<string, unknown>>(
      instance.dataDir,
      `SELECT method FROM sessions WHERE user_id = '${user?.id}'`,
    );
    expect(rows).toEqual([{ method: 'oidc' }, { method: 'oidc' }]);
    const log = queryDatabase<Record<string, unknown>>(
      instance.dataDir,
      `SELECT action FROM audit WHERE actor_id = '${user?.id}' ORDER BY id`,
    );
    expect(log.map(({ action }) => action)).toEqual(['account.created', 'signed_in']);
  });

  test('leads to pages of the dashboard only', async () => {
    const browser = await join(newPerson());
    for (const to of [
      'https://evil.example/',
      '//evil.example/x',
      '/\\evil.example',
      'javascript:alert(1)',
      '/v1/forms',
    ]) {
      const answer = await signInBy(world, browser, to);
      expect([to, answer.headers.get('location')]).toEqual([to, '/dashboard/forms']);
    }
  });

  test('sends state, nonce and a PKCE challenge, and no secret', async () => {
    const browser = visitor(world.instance);
    const url = new URL((await browser.get('/dashboard/oidc/start')).headers.get('location') ?? '');
    expect(url.origin).toBe(world.provider.issuer);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'formstead',
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: `${world.instance.context.config.baseUrl}/dashboard/oidc/callback`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const other = new URL((await browser.get('/dashboard/oidc/start')).headers.get('location') ?? '');
    expect(other.searchParams.get('state')).not.toBe(url.searchParams.get('state'));
    expect(other.searchParams.get('nonce')).not.toBe(url.searchParams.get('nonce'));
  });

  /** The error of the last failed sign-in in the log. */
  const loggedError = () => {
    const lines = world.instance.logs.map((line) => JSON.parse(line));
    return lines.findLast(({ message }) => message === 'a sign-in by the provider failed')?.error;
  };

  /** Expects that a callback is refused, and that nobody is signed in after it. */
  const expectRefused = async (browser: Visitor, callback: string, status: number, error: RegExp | string) => {
    const answer = await browser.get(callback);
    expect(answer.status).toBe(status);
    expect(await errorOn(answer)).toMatch(error);
    expect(sessionOf(browser)).toBeUndefined();
    expect(await isSignedIn(browser)).toBe(false);
  };

  const invalid = /^The sign-in at Test login could not be checked/;

  describe('refuses', () => {
    let person: ReturnType<typeof newPerson>;
    beforeAll(async () => {
      person = newPerson();
      await join(person);
    });

    const begin = async () => {
      world.provider.setPerson(person);
      const browser = visitor(world.instance);
      return { browser, callback: await callbackFor(world.provider, browser) };
    };

    test('another state, none, and the state of another browser', async () => {
      const { browser, callback } = await begin();
      const changed = callback.replace(/state=[^&]+/, 'state=another');
      await expectRefused(browser, changed, 400, invalid);
      const second = await begin();
      await expectRefused(second.browser, second.callback.replace(/&?state=[^&]+/, ''), 400, invalid);
      const third = await begin();
      await expectRefused(visitor(world.instance), third.callback, 400, invalid);
    });

    test.each<readonly [string, string, Resigned[1], Resigned[2]]>([
      ['another nonce', '"nonce"', { nonce: 'another' }, {}],
      ['no nonce', '"nonce" (nonce) claim missing', { nonce: undefined }, {}],
      ['another issuer', '"iss"', { iss: 'https://evil.example' }, {}],
      ['another audience', '"aud"', { aud: 'another-client' }, {}],
      [
        'several audiences without us as the authorized party',
        '"azp"',
        { aud: ['formstead', 'other'], azp: 'other' },
        {},
      ],
      ['an expired token', '"exp"', { exp: Math.floor(Date.now() / 1000) - 3600 }, {}],
      ['no subject', '"sub"', { sub: undefined }, {}],
      ['the algorithm none', '"alg"', {}, { alg: 'none' }],
      ['a symmetric algorithm', '"alg"', {}, { alg: 'HS256' }],
      [
        'the key of somebody else',
        'signature',
        {},
        { key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey },
      ],
    ])('an ID token with %s', async (_, reason, change, options) => {
      const { browser, callback } = await begin();
      const { provider } = world;
      provider.setAnswer('token', (body) => ({ ...body, id_token: provider.resign(body.id_token, change, options) }));
      await expectRefused(browser, callback, 400, invalid);
      expect(loggedError()).toContain(reason);
    });

    test('an answer without an ID token, or with a forged payload', async () => {
      const { provider } = world;
      for (const idToken of [undefined, 'a.b.c', '']) {
        const { browser, callback } = await begin();
        provider.setAnswer('token', (body) => ({ ...body, id_token: idToken }));
        await expectRefused(browser, callback, 400, invalid);
      }
      const { browser, callback } = await begin();
      provider.setAnswer('token', (body) => {
        const [head, , signature] = String(body.id_token).split('.');
        const [, claims] = provider.resign(body.id_token, { sub: 'victim' }).split('.');
        return { ...body, id_token: `${head}.${claims}.${signature}` };
      });
      await expectRefused(browser, callback, 400, invalid);
    });

    test('the answer of another provider', async () => {
      const { browser, callback } = await begin();
      const mixed = callback.replace(/iss=[^&]+/, `iss=${encodeURIComponent('https://evil.example')}`);
      await expectRefused(browser, mixed, 400, invalid);
      const second = await begin();
      await expectRefused(second.browser, second.callback.replace(/&?iss=[^&]+/, ''), 400, invalid);
    });

    test('user information about another subject', async () => {
      const { browser, callback } = await begin();
      world.provider.setAnswer('userinfo', (body) => ({ ...body, sub: 'somebody-else' }));
      await expectRefused(browser, callback, 400, invalid);
    });

    test('a code that was used before', async () => {
      const { browser, callback } = await begin();
      const cookie = { Cookie: `formstead_sign_in=${browser.cookies.get('formstead_sign_in')}` };
      expect((await browser.get(callback)).status).toBe(303);
      await expectRefused(visitor(world.instance), callback, 400, invalid);
      const before = world.provider.count('token');
      const replayed = await visitor(world.instance).get(callback, cookie);
      expect([replayed.status, replayed.headers.getSetCookie().join()]).toEqual([
        400,
        expect.not.stringContaining('session'),
      ]);
      expect(world.provider.count('token')).toBe(before + 1);
    });

    test('a cookie that is forged, or sealed for something else', async () => {
      const { instance } = world;
      const { browser, callback } = await begin();
      const sealed = browser.cookies.get('formstead_sign_in') ?? '';
      const damaged = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
      for (const value of ['x', damaged, Buffer.from('{"kind":"begun"}').toString('base64url')]) {
        const answer = await visitor(instance).get(callback, { Cookie: `formstead_sign_in=${value}` });
        expect([answer.status, await errorOn(answer)]).toEqual([400, expect.stringMatching(invalid)]);
      }
    });

    test('a person who declines, with a sentence', async () => {
      const { browser, callback } = await begin();
      const declined = callback.replace(/code=[^&]+/, 'error=access_denied');
      await expectRefused(browser, declined, 400, 'You did not sign in at Test login. Try again.');
    });
  });

  test('says so when the provider is away in any step, and passwords still work', async () => {
    const { provider } = world;
    const person = newPerson();
    await join(person);
    const away = 'Can’t reach Test login right now. Try again in a minute, or sign in another way.';
    for (const step of ['token', 'userinfo'] as const) {
      const browser = visitor(world.instance);
      const callback = await callbackFor(provider, browser);
      provider.setAway(step);
      const answer = await browser.get(callback);
      expect([step, answer.status, await errorOn(answer)]).toEqual([step, 503, away]);
      expect(sessionOf(browser)).toBeUndefined();
      provider.setAway(null);
    }
    const { email } = await makeAccount(world.instance, world.instance.owner);
    const browser = visitor(world.instance);
    expect((await browser.post('/dashboard/sign-in', { email, password: PASSWORD })).status).toBe(303);
  });

  test('does not link an unverified address, nor one whose verification is not stated', async () => {
    const { instance, provider } = world;
    for (const verified of [false, undefined, 'true', 1]) {
      const person = newPerson({ email_verified: verified });
      const to = { teamId: instance.owner.teamId, role: 'owner', email: person.email, createdBy: null } as const;
      const { token } = await createInvitation(instance.context, to);
      provider.setPerson(person);
      for (const path of ['/dashboard/inbox', `/dashboard/welcome/${token}`]) {
        const browser = visitor(instance);
        const answer = await signInBy(world, browser, path);
        expect([answer.status, await errorOn(answer)]).toEqual([403, expect.stringContaining('has not verified')]);
        expect(sessionOf(browser)).toBeUndefined();
      }
      expect(await instance.context.store.users.findByEmail(person.email)).toBeNull();
    }
    const entra = newPerson({ email_verified: undefined, xms_edov: true });
    const to = { teamId: instance.owner.teamId, role: 'viewer', email: entra.email, createdBy: null } as const;
    await createInvitation(instance.context, to);
    provider.setPerson(entra);
    expect((await signInBy(world, visitor(instance))).status).toBe(303);
  });

  test('refuses an address without account or invitation', async () => {
    const person = newPerson();
    world.provider.setPerson(person);
    const browser = visitor(world.instance);
    await expectRefused(browser, await callbackFor(world.provider, browser), 403, /no account for your address/);
    expect(await world.instance.context.store.users.findByEmail(person.email)).toBeNull();
  });

  test('links an account with a password only after its password was given once', async () => {
    const { instance, provider } = world;
    const { user, email } = await settle(instance);
    const person = newPerson({ email });
    provider.setPerson(person);
    const browser = visitor(instance);
    const refused = await signInBy(world, browser);
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('There is an account for your address already.');
    expect(sessionOf(browser)).toBeUndefined();
    expect(await identitiesOf(instance, user.id)).toEqual([]);

    expect((await browser.post('/dashboard/sign-in', { email, password: 'wrong password' })).status).toBe(400);
    expect(await identitiesOf(instance, user.id)).toEqual([]);
    expect((await browser.post('/dashboard/sign-in', { email, password: PASSWORD })).status).toBe(303);
    expect(await identitiesOf(instance, user.id)).toMatchObject([{ subject: person.sub }]);
    expect(browser.cookies.has('formstead_sign_in')).toBe(false);
    expect((await signInBy(world, visitor(instance))).status).toBe(303);
    const log = queryDatabase<Record<string, unknown>>(
      instance.dataDir,
      `SELECT action FROM audit WHERE actor_id = '${user.id}' ORDER BY id`,
    );
    expect(log.map(({ action }) => action)).toEqual(['signed_in', 'identity.linked', 'signed_in', 'signed_in']);
  });

  test('does not link the account of another password to the address of the provider', async () => {
    const { instance, provider } = world;
    const victim = await settle(instance);
    const attacker = await settle(instance);
    provider.setPerson(newPerson({ email: victim.email }));
    const browser = visitor(instance);
    expect((await signInBy(world, browser)).status).toBe(409);
    const fields = { email: attacker.email, password: PASSWORD };
    expect((await browser.post('/dashboard/sign-in', fields)).status).toBe(303);
    expect(await identitiesOf(instance, attacker.user.id)).toEqual([]);
    expect(await identitiesOf(instance, victim.user.id)).toEqual([]);
  });

  test('links the account of a session at once to its own address', async () => {
    const { instance, provider } = world;
    const { browser, user, email } = await settle(instance);
    provider.setPerson(newPerson({ email }));
    expect((await signInBy(world, browser)).headers.get('location')).toBe('/dashboard/inbox');
    expect(await identitiesOf(instance, user.id)).toHaveLength(1);
    expect(await (await browser.get('/dashboard/account')).text()).toContain('linked since');
  });

  test('links it to another address only if its user asks for that on our page, soon after signing in', async () => {
    const { instance, provider } = world;
    const { browser, user } = await settle(instance);
    const person = newPerson({ email_verified: false });
    provider.setPerson(person);
    const page = await (await browser.get('/dashboard/account')).text();
    const [, link = ''] = /href="(\/dashboard\/oidc\/start[^"]*)"[^>]*>Link account</.exec(page) ?? [];
    const follow = async (site: string, by = browser) => {
      const start = await browser.get(link.replaceAll('&amp;', '&'), { 'Sec-Fetch-Site': site });
      const { pathname, search } = await provider.approve(start.headers.get('location') ?? '');
      const cookies = [...by.cookies, ['formstead_sign_in', browser.cookies.get('formstead_sign_in')]];
      const cookie = cookies.map(([name, value]) => `${name}=${value}`).join('; ');
      return by.get(pathname + search, { Cookie: cookie });
    };
    for (const site of ['cross-site', 'same-site', 'none']) {
      const answer = await follow(site);
      expect([answer.status, await errorOn(answer)]).toEqual([403, expect.stringMatching(/^Not linked/)]);
    }
    const other = await settle(instance);
    expect((await follow('same-origin', other.browser)).status).toBe(403);
    queryDatabase(instance.dataDir, `UPDATE sessions SET password_at = 0 WHERE user_id = '${user.id}'`);
    expect((await follow('same-origin')).status).toBe(403);
    const now = instance.context.clock();
    queryDatabase(instance.dataDir, `UPDATE sessions SET password_at = ${now} WHERE user_id = '${user.id}'`);
    for (const { id } of [user, other.user]) expect(await identitiesOf(instance, id)).toEqual([]);

    const linked = await follow('same-origin');
    expect(linked.headers.get('location')).toBe('/dashboard/account');
    expect(await identitiesOf(instance, user.id)).toMatchObject([{ subject: person.sub }]);
    expect((await signInBy(world, visitor(instance))).status).toBe(303);
  });

  test('refuses a second subject with the address of a linked account, also with its session', async () => {
    const { instance, provider } = world;
    const person = newPerson();
    const browser = await join(person);
    const user = await instance.context.store.users.findByEmail(person.email);
    provider.setPerson({ ...person, sub: 'an-impostor' });
    const stranger = visitor(instance);
    await expectRefused(
      stranger,
      await callbackFor(provider, stranger),
      403,
      /linked to another account at Test login/,
    );
    const answer = await signInBy(world, browser);
    expect([answer.status, await errorOn(answer)]).toEqual([403, expect.stringContaining('linked to another account')]);
    expect(await identitiesOf(instance, user?.id ?? '')).toMatchObject([{ subject: person.sub }]);
  });

  test('keeps account and address when the address changes at the provider', async () => {
    const { instance, provider } = world;
    const person = newPerson();
    await join(person);
    const other = await settle(instance);
    for (const email of ['renamed@oidc.example', other.email]) {
      provider.setPerson({ ...person, email });
      const browser = visitor(instance);
      expect((await signInBy(world, browser)).status).toBe(303);
      expect(await (await browser.get('/dashboard/account')).text()).toContain(person.email);
    }
    expect(await instance.context.store.users.findByEmail('renamed@oidc.example')).toBeNull();
    expect(await identitiesOf(instance, other.user.id)).toEqual([]);
  });

  test('is offered on the page of an invitation, which is used up', async () => {
    const { instance, provider } = world;
    const to = { teamId: instance.owner.teamId, role: 'viewer', email: null, createdBy: null } as const;
    const { token } = await createInvitation(instance.context, to);
    const path = `/dashboard/welcome/${token}`;
    const browser = visitor(instance);
    const page = await (await browser.get(path)).text();
    expect(page).toContain(`href="/dashboard/oidc/start?to=${encodeURIComponent(path)}"`);
    expect(page).toContain('Sign in with Test login');
    const person = newPerson();
    provider.setPerson(person);
    expect((await signInBy(world, browser, path)).headers.get('location')).toBe('/dashboard/forms');
    const user = await instance.context.store.users.findByEmail(person.email);
    expect(await instance.context.store.users.listMemberships(user?.id ?? '')).toMatchObject([{ role: 'viewer' }]);
    expect((await visitor(instance).get(path)).status).toBe(404);
  });

  test('asks for our second factor, unless the provider has checked two', async () => {
    const { instance, provider } = world;
    const person = newPerson();
    await join(person);
    const user = await instance.context.store.users.findByEmail(person.email);
    const secret = instance.context.vault.seal('secret', totpSecretAad(user?.id ?? ''));
    const factor = { secret, step: 0, codeHashes: [] };
    await instance.context.store.secondFactors.add(user?.id ?? '', factor, '');
    const cases = [
      [{}, '/dashboard/second-factor?to=%2Fdashboard%2Finbox'],
      [{ amr: ['pwd'] }, '/dashboard/second-factor?to=%2Fdashboard%2Finbox'],
      [{ amr: ['pwd', 'user'] }, '/dashboard/second-factor?to=%2Fdashboard%2Finbox'],
      [{ acr: '0' }, '/dashboard/second-factor?to=%2Fdashboard%2Finbox'],
      [{ amr: ['mfa'] }, '/dashboard/inbox'],
      [{ amr: ['pwd', 'otp'] }, '/dashboard/inbox'],
      [{ acr: 'phr' }, '/dashboard/inbox'],
      [{ acr: 'http://schemas.openid.net/pape/policies/2007/06/multi-factor' }, '/dashboard/inbox'],
    ] as const;
    for (const [proof, location] of cases) {
      provider.setPerson(person);
      provider.setAnswer('token', (body) => ({ ...body, id_token: provider.resign(body.id_token, proof) }));
      const answer = await signInBy(world, visitor(instance));
      expect([proof, answer.headers.get('location')]).toEqual([proof, location]);
    }
  });

  test('ends our session at a sign-out, and offers to end that of the provider', async () => {
    const browser = await join(newPerson());
    const secret = sessionOf(browser);
    const out = await browser.post('/dashboard/sign-out');
    expect(out.headers.get('location')).toBe('/dashboard/sign-in?done=out&provider=yes');
    const page = await (await browser.get('/dashboard/sign-in?done=out&provider=yes')).text();
    expect(page).toContain(`href="${world.provider.issuer}/session/end?client_id=formstead"`);
    expect(page).toContain('Sign out of Test login too');
    const replayed = await visitor(world.instance).get('/dashboard/account', { Cookie: `formstead_session=${secret}` });
    expect(replayed.status).toBe(303);
    const { browser: byPassword } = await settle(world.instance);
    expect((await byPassword.post('/dashboard/sign-out')).headers.get('location')).toBe('/dashboard/sign-in?done=out');
  });

  test('confirms changes without a password by a recent sign-in, and lets set a password', async () => {
    const { instance } = world;
    const person = newPerson();
    const browser = await join(person);
    const user = await instance.context.store.users.findByEmail(person.email);
    const page = await (await browser.get('/dashboard/account')).text();
    expect(page).not.toContain('name="password"');
    const cannot = await browser.post('/dashboard/oidc/unlink', { issuer: world.provider.issuer });
    expect(cannot.status).toBe(409);
    expect(await identitiesOf(instance, user?.id ?? '')).toHaveLength(1);

    queryDatabase<Record<string, unknown>>(
      instance.dataDir,
      `UPDATE sessions SET password_at = 0 WHERE user_id = '${user?.id}'`,
    );
    const stale = await browser.post('/dashboard/account/password', { new_password: PASSWORD });
    expect([stale.status, await stale.text()]).toEqual([
      403,
      expect.stringContaining('signed in within the last ten minutes'),
    ]);
    await signInBy(world, browser);
    const set = await browser.post('/dashboard/account/password', { new_password: PASSWORD });
    expect(set.headers.get('location')).toBe('/dashboard/account?done=password');
    expect(await (await browser.get('/dashboard/account')).text()).toContain('name="password"');

    const unlinked = await browser.post('/dashboard/oidc/unlink', { issuer: world.provider.issuer });
    expect(unlinked.headers.get('location')).toBe('/dashboard/account?done=unlinked');
    expect(await identitiesOf(instance, user?.id ?? '')).toEqual([]);
    const stranger = visitor(instance);
    const refused = await signInBy(world, stranger);
    expect([refused.status, sessionOf(stranger)]).toEqual([409, undefined]);
  });

  test('unlinks only for a session, from a page of ours', async () => {
    const { instance } = world;
    const person = newPerson();
    const browser = await join(person);
    const stranger = visitor(instance);
    expect((await stranger.post('/dashboard/oidc/unlink')).headers.get('location')).toStartWith('/dashboard/sign-in');
    const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    expect((await browser.post('/dashboard/oidc/unlink', {}, foreign)).status).toBe(403);
    const user = await instance.context.store.users.findByEmail(person.email);
    expect(await identitiesOf(instance, user?.id ?? '')).toHaveLength(1);
  });

  test('forgets the identity of a deleted account', async () => {
    const { instance } = world;
    const person = newPerson();
    const browser = await join(person);
    const deleted = await browser.post('/dashboard/account/delete');
    expect(deleted.headers.get('location')).toBe('/dashboard/sign-in?done=deleted');
    const rows = queryDatabase<Record<string, unknown>>(
      instance.dataDir,
      `SELECT subject FROM identities WHERE subject = '${person.sub}'`,
    );
    expect(rows).toEqual([]);
    expect((await signInBy(world, visitor(instance))).status).toBe(403);
  });

  test('stops a client after thirty answers that are not right', async () => {
    const { instance } = world;
    const headers = { 'X-Forwarded-For': '203.0.113.9' };
    const statuses = new Set<number>();
    for (let n = 0; n < 60; n++)
      statuses.add((await visitor(instance, headers).get('/dashboard/oidc/callback?code=x')).status);
    expect([...statuses]).toEqual([400, 429]);
  });
});

describe('the settings of the provider', () => {
  test('leave out people of other domains, compared whole', async () => {
    const world = await startWorld({ OIDC_ALLOWED_DOMAINS: 'example.com, Example.org' });
    const { instance, provider } = world;
    const { teamId } = instance.owner;
    const invite = (email: string) =>
      createInvitation(instance.context, { teamId, role: 'viewer', email, createdBy: null });
    for (const [email, status] of [
      ['ada@example.com', 303],
      ['ada@example.org', 303],
      ['ada@sub.example.com', 403],
      ['ada@notexample.com', 403],
      ['ada@example.com.evil.example', 403],
      ['ada@example.co', 403],
    ] as const) {
      await invite(email);
      provider.setPerson({ sub: email, email, email_verified: true });
      expect([email, (await signInBy(world, visitor(instance))).status]).toEqual([email, status]);
    }
    provider.setPerson({ sub: 'ada@example.com', email: 'ada@elsewhere.example', email_verified: true });
    const moved = await signInBy(world, visitor(instance));
    expect([moved.status, await errorOn(moved)]).toEqual([403, expect.stringContaining('your domain')]);
    await world.stop();
  });

  test('let people with a verified address join a team, without a secret by PKCE alone', async () => {
    const world = await startWorld({ OIDC_JOIN: 'team_1:viewer' }, true);
    const { instance, provider } = world;
    provider.setPerson(newPerson());
    expect((await signInBy(world, visitor(instance))).status).toBe(403);
    expect(instance.logs.join()).toContain('names a team that does not exist');
    const flags = { requiresSecondFactor: false, learnsSpam: true, setUpAt: null };
    const team = { id: 'team_1', name: 'Team', plan: 'unlimited', ...flags, createdAt: instance.context.clock() };
    await instance.context.store.teams.create(team);
    provider.setPerson(newPerson({ email_verified: undefined }));
    expect((await signInBy(world, visitor(instance))).status).toBe(403);
    const person = newPerson();
    provider.setPerson(person);
    expect((await signInBy(world, visitor(instance))).status).toBe(303);
    const user = await instance.context.store.users.findByEmail(person.email);
    const memberships = await instance.context.store.users.listMemberships(user?.id ?? '');
    expect(memberships).toMatchObject([{ role: 'viewer', team: { id: 'team_1' } }]);

    const attempts = await Promise.all([1, 2, 3].map(() => signInBy(world, visitor(instance))));
    expect(attempts.map(({ status }) => status)).toEqual([303, 303, 303]);
    await world.stop();
  });

  test('end the sessions of passwords and passkeys once these are turned off', async () => {
    const world = await startWorld({ OIDC_ONLY: 'yes' });
    const { instance } = world;
    const user = await makeAccount(instance, instance.owner);
    const signedIn = async (method: SignInMethod) => {
      const secret = await startSession(instance.context, user, { method, address: '', browser: '' });
      return [method, await isSignedIn(visitor(instance, { Cookie: `formstead_session=${secret}` }))];
    };
    const methods = ['password', 'passkey', 'oidc', 'link'] as const;
    expect(await Promise.all(methods.map(signedIn))).toEqual([
      ['password', false],
      ['passkey', false],
      ['oidc', true],
      ['link', true],
    ]);
    await world.stop();
  });

  test('turn passwords off, also posted ones, but not the links of the command line', async () => {
    const world = await startWorld({ OIDC_ONLY: 'yes' });
    const { instance, provider } = world;
    const { store, clock } = instance.context;
    const user = await makeAccount(instance, instance.owner);
    const browser = visitor(instance);
    const page = await (await browser.get('/dashboard/sign-in')).text();
    expect(page).not.toContain('name="password"');
    expect(page).toContain('Sign in with Test login');
    const posted = await browser.post('/dashboard/sign-in', { email: user.email, password: PASSWORD });
    expect([posted.status, sessionOf(browser)]).toEqual([403, undefined]);
    const { token: welcome } = await createInvitation(instance.context, {
      ...{ teamId: instance.owner.teamId, role: 'viewer', email: null, createdBy: null },
    });
    expect(await (await browser.get(`/dashboard/welcome/${welcome}`)).text()).not.toContain('new_password');
    const created = await browser.post(`/dashboard/welcome/${welcome}`, {
      email: 'a@b.example',
      new_password: PASSWORD,
    });
    expect([created.status, await store.users.findByEmail('a@b.example')]).toEqual([403, null]);
    for (const answer of [
      await browser.get('/dashboard/reset'),
      await browser.post('/dashboard/reset', { email: user.email }),
    ]) {
      expect(answer.status).toBe(403);
    }

    provider.setPerson(newPerson({ email: user.email }));
    expect((await signInBy(world, browser)).status).toBe(409);
    const { token } = await createResetLink({ store, clock }, user.id);
    expect(await (await browser.get(`/dashboard/reset/${token}`)).text()).not.toContain('new_password');
    expect((await browser.post(`/dashboard/reset/${token}`)).status).toBe(303);
    expect(await isSignedIn(browser)).toBe(true);
    expect(await identitiesOf(instance, user.id)).toHaveLength(1);
    expect((await visitor(instance).post(`/dashboard/reset/${token}`)).status).toBe(404);
    const account = await (await browser.get('/dashboard/account')).text();
    expect(account).not.toContain('new_password');
    expect(
      (await browser.post('/dashboard/account/password', { password: PASSWORD, new_password: 'a new correct horse' }))
        .status,
    ).toBe(409);
    expect((await store.users.findByEmail(user.email))?.passwordHash).not.toBeNull();
    await world.stop();
  });

  test('keep no state in the process: another one that has the key ends a sign-in, unless its provider is another', async () => {
    const world = await startWorld({ ENCRYPTION_KEY });
    const { instance, provider } = world;
    const { baseUrl } = instance.context.config;
    const other = await startProvider([`${baseUrl}/dashboard/oidc/callback`]);
    const shared = { BASE_URL: baseUrl ?? '', ENCRYPTION_KEY };
    for (const [used, status] of [
      [provider, 303],
      [other, 400],
    ] as const) {
      const second = await startInstance({ env: { ...used.env, ...shared } });
      const { port } = second.logs.map((line) => JSON.parse(line)).find(({ message }) => message === 'listening');
      const user = await makeAccount(second, second.owner);
      await second.context.store.identities.add(user.id, { issuer: used.issuer, subject: 'ada' });
      const browser = visitor(instance);
      // Not every provider names itself in its answer.
      used.setAnswer('discovery', (body) => ({ ...body, authorization_response_iss_parameter_supported: false }));
      const callback = (await callbackFor(provider, browser)).replace(/&?iss=[^&]+/, '');
      const cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join('; ');
      expect((await visitor({ url: `http://127.0.0.1:${port}` }).get(callback, { Cookie: cookie })).status).toBe(
        status,
      );
      await second.stop();
    }
    expect(other.count('token')).toBe(0);
    await other.stop();
    await world.stop();
  });

  test('end a sign-in that took longer than 15 minutes', async () => {
    let now = Date.now() * 1000;
    const world = await startWorld({}, false, () => now);
    const { instance, provider } = world;
    const { user } = await settle(instance);
    await instance.context.store.identities.add(user.id, { issuer: provider.issuer, subject: 'ada' });
    for (const [minutes, status] of [
      [14, 303],
      [16, 400],
    ] as const) {
      const browser = visitor(instance);
      const callback = await callbackFor(provider, browser);
      now += minutes * 60 * 1_000_000;
      expect([minutes, (await browser.get(callback)).status]).toEqual([minutes, status]);
    }
    await world.stop();
  });

  test('are read at the first use: a provider that is away delays nothing, and one that lies is refused', async () => {
    const world = await startWorld();
    const { instance, provider } = world;
    expect(provider.count('discovery')).toBe(0);
    expect((await visitor(instance).get('/dashboard/sign-in')).status).toBe(200);
    expect(provider.count('discovery')).toBe(0);
    provider.setAway('discovery');
    const away = await visitor(instance).get('/dashboard/oidc/start');
    expect([away.status, await errorOn(away)]).toEqual([503, expect.stringContaining('Can’t reach Test login')]);
    provider.setAway(null);
    for (const change of [
      { issuer: 'https://evil.example' },
      { authorization_endpoint: undefined },
      { issuer: `${provider.issuer}/${'x'.repeat(300_000)}` },
    ]) {
      provider.setAnswer('discovery', (body) => ({ ...body, ...change }));
      expect((await visitor(instance).get('/dashboard/oidc/start')).status).toBe(503);
    }
    provider.setAnswer('discovery', (body) => ({ ...body, token_endpoint: 'http://internal.example/token' }));
    const { user } = await settle(instance);
    await instance.context.store.identities.add(user.id, { issuer: provider.issuer, subject: 'ada' });
    expect((await signInBy(world, visitor(instance))).status).toBe(400);
    await world.stop();
  });

  test('say when the keys of the provider cannot be read', async () => {
    const world = await startWorld();
    const { instance, provider } = world;
    const browser = visitor(instance);
    const callback = await callbackFor(provider, browser);
    provider.setAway('jwks');
    const answer = await browser.get(callback);
    expect([answer.status, await errorOn(answer)]).toEqual([503, expect.stringContaining('Can’t reach Test login')]);
    await world.stop();
  });

  test('with a wrong secret sign nobody in, and log the reason without the secret', async () => {
    const world = await startWorld({ OIDC_CLIENT_SECRET: 'not-the-secret' });
    const answer = await signInBy(world, visitor(world.instance));
    expect(answer.status).toBe(400);
    const log = world.instance.logs.join();
    expect(log).toContain('invalid_client');
    expect(log).not.toContain('not-the-secret');
    await world.stop();
  });

  test('are optional: without them the addresses do not exist', async () => {
    const instance = await startInstance();
    const browser = visitor(instance);
    for (const path of [
      '/dashboard/oidc/start',
      '/dashboard/oidc/callback?code=x&state=y',
      '/dashboard/sign-in/proxy',
    ]) {
      expect((await browser.get(path)).status).toBe(404);
    }
    expect(await (await browser.get('/dashboard/sign-in')).text()).not.toContain('oidc');
    await instance.stop();
  });
});
