import { afterAll, describe, expect, test } from 'bun:test';
import { PASSKEY_TEXTS } from '../../../src/dashboard/users/passkeys/texts.ts';
import { SIGN_IN_TEXTS } from '../../../src/dashboard/users/sign-in/texts.ts';
import { DAY, MINUTE, type Micros } from '../../../src/lib/clock.ts';
import { createResetLink } from '../../../src/services/users/accounts.ts';
import { queryDatabase } from '../../support/database-rows.ts';
import { startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { codeAt, STEP } from './authenticator.ts';
import { type Device, makeDevice, readOptions } from './passkey-device.ts';
import { PASSWORD } from './signed-in.ts';
import { errorOn, settle, type Visitor, visitor } from './visitor.ts';

let now: Micros = Date.UTC(2026, 10, 21, 12) * 1000;
const BASE_URL = 'https://forms.example';
const instance = await startInstance({ clock: () => now, env: { TRUSTED_PROXIES: '127.0.0.1', BASE_URL } });
const plain = await startInstance();
afterAll(async () => {
  await instance.stop();
  await plain.stop();
});

const t = PASSKEY_TEXTS.en;
const ACCOUNT = '/dashboard/account';
const PASSKEYS = `${ACCOUNT}/passkeys`;
const SIGN_IN = '/dashboard/passkey';
const NEW = `${SIGN_IN}?new`;
const { store } = instance.context;

let lastClient = 0;
/** A browser with a client address of its own. */
const stranger = () => visitor(instance, { 'X-Forwarded-For': `198.51.${++lastClient >> 8}.${lastClient & 255}` });

const optionsOn = async (browser: Visitor, path = SIGN_IN) => readOptions(await browser.get(path));

/** Adds a passkey on its page. */
async function add(browser: Visitor, device: Device, fields: Record<string, string> = {}) {
  const credential = device.create(await optionsOn(browser, NEW));
  const answer = await browser.post(PASSKEYS, { name: 'Laptop', credential, password: PASSWORD, ...fields });
  return answer;
}

/** Creates a user with a passkey. */
async function equipped() {
  const { email, user } = await settle(instance);
  const browser = stranger();
  await browser.post('/dashboard/sign-in', { email, password: PASSWORD });
  const device = makeDevice(BASE_URL);
  const answer = await add(browser, device);
  if (answer.headers.get('location') !== `${PASSKEYS}?done=added`) throw new Error(await answer.text());
  return { email, user, browser, device };
}

/** Signs in with a device; `change` makes the answer wrong. */
async function signInWith(device: Device, change: Parameters<Device['sign']>[1] = {}, browser = stranger()) {
  const passkey = device.sign(await optionsOn(browser), change);
  return { browser, passkey, answer: await browser.post(SIGN_IN, { passkey, to: '/dashboard/mail' }) };
}

/** Turns on the second factor; returns its secret and recovery codes. */
async function secure(browser: Visitor) {
  const path = `${ACCOUNT}/second-factor`;
  const markup = await (await browser.get(path)).text();
  const secret = (/<code id="secret"[^>]*>(.*?)<\/code>/.exec(markup)?.[1] ?? '').replace(/<[^>]+>/g, '');
  const offer = /name="offer" value="([^"]+)"/.exec(markup)?.[1] ?? '';
  const on = await (await browser.post(path, { offer, code: codeAt(secret, now), password: PASSWORD })).text();
  now += STEP;
  return { secret, codes: /<pre id="codes">([^<]+)<\/pre>/.exec(on)?.[1]?.split('\n') ?? [] };
}

const isSignedIn = async (browser: Visitor) => (await browser.get(ACCOUNT)).status === 200;
/** Returns what the audit log of the user's team has, newest first. */
const actionsOf = async (userId: string) => {
  const teamId = (await store.users.listMemberships(userId))[0]?.team.id ?? '';
  const rows = await store.audit.list(teamId, { limit: 1000, before: null, actorId: null, action: null });
  return rows.map(({ action, details }) => ({ action, ...details }));
};

describe('adding a passkey', () => {
  test('stores the public key and the name, and the page lists it', async () => {
    const { user, browser, device } = await equipped();
    const [passkey, other] = await store.passkeys.list(user.id);
    expect(other).toBeUndefined();
    expect(passkey).toMatchObject({ credentialId: device.id, name: 'Laptop', counter: 0 });
    const markup = await (await browser.get(`${PASSKEYS}?done=added`)).text();
    expect(markup).toContain(t.done.added);
    expect(markup).toContain('name="name" value="Laptop"');
    expect((await actionsOf(user.id))[0]).toMatchObject({ action: 'passkey.added', passkey_id: passkey?.id });
  });

  test('gives it another name, but not one of another user', async () => {
    const { user, browser } = await equipped();
    const [passkey] = await store.passkeys.list(user.id);
    const path = `${PASSKEYS}/${passkey?.id}`;
    expect((await browser.post(path, { name: ' Key in\nthe drawer ' })).headers.get('location')).toContain(
      'done=renamed',
    );
    expect((await actionsOf(user.id))[0]).toMatchObject({ action: 'passkey.renamed', passkey_id: passkey?.id });
    const stranger = await equipped();
    expect((await stranger.browser.post(path, { name: 'Mine' })).status).toBe(404);
    expect((await store.passkeys.list(user.id)).map(({ name }) => name)).toEqual(['Key in the drawer']);
  });

  test('asks for an account name, a discoverable credential, and none that the user has', async () => {
    const { email, user, browser, device } = await equipped();
    expect(await optionsOn(browser, NEW)).toMatchObject({
      rp: { id: 'forms.example' },
      user: { id: Buffer.from(user.id).toString('base64url'), name: email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      excludeCredentials: [{ id: device.id, type: 'public-key' }],
    });
  });

  test('needs the password or a passkey, and adds nothing without', async () => {
    const { user, browser, device } = await equipped();
    const second = makeDevice(BASE_URL);
    expect((await add(browser, second, { password: 'wrong' })).status).toBe(400);
    expect(await store.passkeys.list(user.id)).toHaveLength(1);
    const passkey = device.sign(await optionsOn(browser));
    expect((await add(browser, second, { password: '', passkey })).status).toBe(303);
    expect(await store.passkeys.list(user.id)).toHaveLength(2);
  });

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another host', { host: 'evil.example' }],
    ['a sign-in', { type: 'webauthn.get' }],
    ['a challenge made up', { challenge: 'AAAA' }],
    ['nobody present', { isPresent: false }],
  ])('refuses the answer of %s', async (_, change) => {
    const { user, browser } = await equipped();
    const credential = makeDevice(BASE_URL).create(await optionsOn(browser, NEW), change);
    const answer = await browser.post(PASSKEYS, { credential, password: PASSWORD });
    expect([answer.status, await errorOn(answer)]).toEqual([400, t.refused]);
    expect(await store.passkeys.list(user.id)).toHaveLength(1);
  });

  test.each(['android-key', 'packed', 'tpm'])('looks at no attestation, also of the format %s', async (format) => {
    const { user, browser } = await equipped();
    const credential = makeDevice(BASE_URL).create(await optionsOn(browser, NEW), { format });
    expect((await browser.post(PASSKEYS, { credential, password: PASSWORD })).status).toBe(303);
    expect(await store.passkeys.list(user.id)).toHaveLength(2);
  });

  test('are gone, as are accounts at providers, once the owner of the address sets a password by link', async () => {
    const { user, device } = await equipped();
    await store.identities.add(user.id, { issuer: 'https://login.example', subject: user.id });
    const { token } = await createResetLink(instance.context, user.id);
    const answer = await stranger().post(`/dashboard/reset/${token}`, { new_password: `${PASSWORD} again` });
    expect(answer.status).toBe(303);
    expect([await store.passkeys.list(user.id), await store.identities.list(user.id)]).toEqual([[], []]);
    expect((await signInWith(device)).answer.status).toBe(400);
  });

  test.each([
    '',
    '{}',
    '[]',
    'null',
    '{"id":1}',
    '{"id":"a","response":null}',
    '{"id":"a","rawId":"a","response":[]}',
    'x'.repeat(9000),
  ])('refuses the body %p', async (credential) => {
    const { user, browser } = await equipped();
    const answer = await browser.post(PASSKEYS, { credential, password: PASSWORD });
    expect([answer.status, await errorOn(answer)]).toEqual([400, t.refused]);
    expect(await store.passkeys.list(user.id)).toHaveLength(1);
  });

  test('refuses a challenge that is late, used, of another session, or for a sign-in', async () => {
    const { user, browser } = await equipped();
    const other = (await equipped()).browser;
    const post = async (from: Visitor, credential: string) =>
      errorOn(await from.post(PASSKEYS, { credential, password: PASSWORD }));
    const device = makeDevice(BASE_URL);
    const late = device.create(await optionsOn(browser, NEW));
    now += 5 * MINUTE + 1;
    expect(await post(browser, late)).toBe(t.refused);
    const foreign = device.create(await optionsOn(other, NEW));
    expect(await post(browser, foreign)).toBe(t.refused);
    const signIn = await optionsOn(browser);
    expect(await post(browser, device.create({ ...signIn, rp: { id: 'forms.example' }, user: {} }))).toBe(t.refused);
    const right = device.create(await optionsOn(browser, NEW));
    expect((await browser.post(PASSKEYS, { credential: right, password: PASSWORD })).status).toBe(303);
    const [, added] = await store.passkeys.list(user.id);
    await browser.post(`${PASSKEYS}/${added?.id}/remove`, { password: PASSWORD });
    expect(await post(browser, right)).toBe(t.refused);
    expect(await store.passkeys.list(user.id)).toHaveLength(1);
  });

  test('refuses a credential that another account has, and the 21st', async () => {
    const { device } = await equipped();
    const { browser, user } = await equipped();
    expect(await errorOn(await add(browser, device))).toBe(t.known);
    for (let count = 1; count < 20; count++) expect((await add(browser, makeDevice(BASE_URL))).status).toBe(303);
    expect(await errorOn(await add(browser, makeDevice(BASE_URL)))).toBe(t.tooMany);
    expect(await store.passkeys.list(user.id)).toHaveLength(20);
  });

  test('is not offered without https or localhost, and the page says why', async () => {
    const { browser } = await settle(plain);
    const markup = await (await browser.get(PASSKEYS)).text();
    expect(markup).toContain('BASE_URL is not set');
    expect(markup).not.toContain('data-passkey');
    expect((await browser.get(NEW)).status).toBe(409);
    expect((await browser.post(PASSKEYS, { credential: '{}', password: PASSWORD })).status).toBe(409);
    expect(await (await browser.get('/dashboard/sign-in')).text()).not.toContain('data-passkey');
    expect((await visitor(plain).get(SIGN_IN)).status).toBe(409);
  });
});

describe('signing in', () => {
  test('takes no address and no password, and the session has the user', async () => {
    const { email, user, device } = await equipped();
    const options = await optionsOn(stranger());
    expect(options).toMatchObject({ rpId: 'forms.example', userVerification: 'preferred' });
    const { browser, answer } = await signInWith(device);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/mail']);
    expect(await (await browser.get(ACCOUNT)).text()).toContain(email);
    expect(browser.cookies.has('__Host-formstead_browser')).toBe(true);
    expect((await actionsOf(user.id))[0]).toMatchObject({ action: 'signed_in', is_passkey: true });
  });

  test.each([
    ['another origin', { origin: 'https://forms.example:444' }],
    ['another host', { host: 'evil.example' }],
    ['a registration', { type: 'webauthn.create' }],
    ['nobody present', { isPresent: false }],
    ['another account', { userHandle: Buffer.from('usr_other').toString('base64url') }],
    ['no account', { userHandle: undefined }],
    ['a challenge made up', { challenge: 'AAAA' }],
  ])('refuses the answer of %s', async (_, change) => {
    const { user, device } = await equipped();
    const { browser, answer } = await signInWith(device, change);
    expect([answer.status, await errorOn(answer)]).toEqual([400, t.refused]);
    expect(await isSignedIn(browser)).toBe(false);
    await until(
      async () => (await actionsOf(user.id)).some(({ action }) => action === 'sign_in_failed'),
      'the failure is recorded',
    );
  });

  test('refuses a signature by another key', async () => {
    const { device } = await equipped();
    const browser = stranger();
    const options = await optionsOn(browser);
    const [real, fake] = [device, makeDevice(BASE_URL)].map((one) => JSON.parse(one.sign(options)));
    const passkey = JSON.stringify({ ...real, response: { ...real.response, signature: fake.response.signature } });
    expect(await errorOn(await browser.post(SIGN_IN, { passkey }))).toBe(t.refused);
  });

  test.each(['{}', '[]', 'null', '{"id":1}', '{"id":"a","response":null}', 'x'.repeat(9000), '{"id":"\\u0000"}'])(
    'refuses the body %p',
    async (passkey) => {
      const browser = stranger();
      await optionsOn(browser);
      const answer = await browser.post(SIGN_IN, { passkey });
      expect([answer.status, await errorOn(answer)]).toEqual([400, t.unknown]);
    },
  );

  test('refuses a body over 16 KiB', async () => {
    const browser = stranger();
    await optionsOn(browser);
    expect((await browser.post(SIGN_IN, { passkey: 'x'.repeat(17_000) })).status).toBe(413);
  });

  test('refuses a repetition in the same browser, and the answer of another browser', async () => {
    const { device } = await equipped();
    const { browser, passkey } = await signInWith(device);
    await browser.post('/dashboard/sign-out');
    expect(await errorOn(await browser.post(SIGN_IN, { passkey }))).toBe(t.refused);
    const [mine, theirs] = [stranger(), stranger()];
    const stolen = device.sign(await optionsOn(mine));
    await optionsOn(theirs);
    expect(await errorOn(await theirs.post(SIGN_IN, { passkey: stolen }))).toBe(t.refused);
    expect(await errorOn(await stranger().post(SIGN_IN, { passkey: stolen }))).toBe(t.refused);
    expect((await mine.post(SIGN_IN, { passkey: stolen })).status).toBe(303);
  });

  test('accepts one of two answers to a challenge that arrive at once', async () => {
    const { device } = await equipped();
    const browser = stranger();
    const passkey = device.sign(await optionsOn(browser));
    const answers = await Promise.all([1, 2, 3].map(() => browser.post(SIGN_IN, { passkey })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
  });

  test('refuses a challenge after five minutes', async () => {
    const { device } = await equipped();
    const browser = stranger();
    const passkey = device.sign(await optionsOn(browser));
    now += 5 * MINUTE + 1;
    expect(await errorOn(await browser.post(SIGN_IN, { passkey }))).toBe(t.refused);
  });

  test('forgets used challenges once they have expired', async () => {
    const { device } = await equipped();
    await signInWith(device);
    const spent = () => queryDatabase(instance.dataDir, 'SELECT id FROM spent_challenges');
    expect((await spent()).length).toBeGreaterThan(0);
    now += DAY;
    await store.idempotency.pruneExpired();
    expect(await spent()).toEqual([]);
  });

  test('works in the tabs of a browser, each with its own challenge', async () => {
    const { device } = await equipped();
    const browser = stranger();
    const [first] = [await optionsOn(browser), await optionsOn(browser)];
    expect((await browser.post(SIGN_IN, { passkey: device.sign(first) })).status).toBe(303);
  });

  test('refuses a device whose counter did not grow, and records it', async () => {
    const { user, device } = await equipped();
    device.count();
    device.count();
    expect((await signInWith(device)).answer.status).toBe(303);
    for (const counter of [2, 1, 0]) {
      const { browser, answer } = await signInWith(device, { counter });
      expect([answer.status, await errorOn(answer)]).toEqual([400, t.cloned]);
      expect(await isSignedIn(browser)).toBe(false);
    }
    const [passkey] = await store.passkeys.list(user.id);
    const cloned = (await actionsOf(user.id)).filter(({ action }) => action === 'passkey.cloned');
    expect(cloned).toHaveLength(3);
    expect(cloned[0]).toMatchObject({ user_id: user.id, passkey_id: passkey?.id });
    expect((await signInWith(device, { counter: 3 })).answer.status).toBe(303);
  });

  test('refuses a removed passkey', async () => {
    const { user, browser, device } = await equipped();
    const [passkey] = await store.passkeys.list(user.id);
    const answer = await browser.post(`${PASSKEYS}/${passkey?.id}/remove`, { password: PASSWORD });
    expect(answer.headers.get('location')).toBe(`${PASSKEYS}?done=removed`);
    expect(await errorOn((await signInWith(device)).answer)).toBe(t.unknown);
  });

  test('is limited like passwords, by account and by address, and other browsers may go on', async () => {
    const { device, email, browser: known } = await equipped();
    for (let attempt = 0; attempt < 20; attempt++) {
      expect((await signInWith(device, { origin: 'https://evil.example' })).answer.status).toBe(400);
    }
    const { answer } = await signInWith(device);
    expect([answer.status, answer.headers.has('retry-after')]).toEqual([429, true]);
    const password = await stranger().post('/dashboard/sign-in', { email, password: PASSWORD });
    expect(password.status).toBe(429);
    await known.post('/dashboard/sign-out');
    expect((await signInWith(device, {}, known)).answer.status).toBe(303);

    const fresh = (await equipped()).device;
    const one = stranger();
    for (let attempt = 0; attempt < 10; attempt++) await signInWith(makeDevice(BASE_URL), {}, one);
    expect((await signInWith(fresh, {}, one)).answer.status).toBe(429);
    expect((await signInWith(fresh)).answer.status).toBe(303);
  });

  test('goes on to pages of this site only', async () => {
    const { device } = await equipped();
    const browser = stranger();
    const passkey = device.sign(await optionsOn(browser));
    const answer = await browser.post(SIGN_IN, { passkey, to: 'https://evil.example/' });
    expect(answer.headers.get('location')).toMatch(/^\/dashboard/);
  });
});

describe('with a second factor', () => {
  test('user verification counts as it; without, the code is asked for', async () => {
    const { user, browser, device } = await equipped();
    const { secret } = await secure(browser);
    const verified = await signInWith(device);
    expect(verified.answer.headers.get('location')).toBe('/dashboard/mail');
    expect(await isSignedIn(verified.browser)).toBe(true);

    const unverified = await signInWith(device, { isVerified: false });
    expect(unverified.answer.headers.get('location')).toStartWith('/dashboard/second-factor');
    expect(await isSignedIn(unverified.browser)).toBe(false);
    const signIns = async () => (await actionsOf(user.id)).filter(({ action }) => action === 'signed_in').length;
    const before = await signIns();
    await unverified.browser.post('/dashboard/second-factor', { code: codeAt(secret, now) });
    expect(await isSignedIn(unverified.browser)).toBe(true);
    expect(await signIns()).toBe(before + 1);
  });

  test('a team that requires one takes a passkey with user verification, and no other sign-in without', async () => {
    const team = await instance.makeOwner();
    const { email, browser: own } = await settle(instance, team);
    await own.post('/dashboard/sign-out');
    const browser = stranger();
    await browser.post('/dashboard/sign-in', { email, password: PASSWORD });
    const device = makeDevice(BASE_URL);
    expect((await add(browser, device)).status).toBe(303);
    await store.teams.update(team.teamId, { requiresSecondFactor: true });
    const seen = async (from: Visitor) => (await from.get('/dashboard/forms')).status;
    expect(await seen(browser)).toBe(303);
    expect(await seen((await signInWith(device)).browser)).toBe(200);
    expect(await seen((await signInWith(device, { isVerified: false })).browser)).toBe(303);
  });
});

describe('a sensitive change', () => {
  test('is confirmed by a passkey in place of the password, once and in the same session', async () => {
    const { email, browser, device } = await equipped();
    const change = (passkey: string, from = browser) =>
      from.post(`${ACCOUNT}/password`, { passkey, new_password: 'four unrelated words here' });
    const passkey = device.sign(await optionsOn(browser));
    expect((await change(passkey)).status).toBe(303);
    expect(await errorOn(await change(passkey))).toBe(t.refused);
    expect((await stranger().post('/dashboard/sign-in', { email, password: PASSWORD })).status).toBe(400);

    const stolen = (await equipped()).device.sign(await optionsOn(browser));
    expect(await errorOn(await change(stolen))).toBe(t.refused);
    const elsewhere = device.sign(await optionsOn((await signInWith(device)).browser));
    expect(await errorOn(await change(elsewhere))).toBe(t.refused);
    const signIn = device.sign(await optionsOn(stranger()));
    expect(await errorOn(await change(signIn))).toBe(t.refused);
  });

  test('that needs a recent password takes a passkey, and keeps its input', async () => {
    const { browser, device } = await equipped();
    const { browser: signedIn } = await signInWith(device);
    const page_team = instance.owner.teamId;
    const key = { name: 'Backup', scope: 'read', page_team };
    expect(await (await signedIn.post('/dashboard/keys', key)).text()).not.toContain('Confirm');
    now += 11 * MINUTE;
    const asked = await (await browser.post('/dashboard/keys', key)).text();
    expect(asked).toContain('data-passkey="/dashboard/passkey"');
    const passkey = device.sign(await optionsOn(browser));
    const made = await browser.post('/dashboard/keys', { ...key, passkey });
    expect(made.status).toBe(200);
    expect(await made.text()).not.toContain('data-passkey');
  });
});

describe('without a password', () => {
  const path = `${ACCOUNT}/password/remove`;

  /** Creates a user with two passkeys and no password. */
  async function passwordless() {
    const all = await equipped();
    const second = makeDevice(BASE_URL);
    await add(all.browser, second);
    const answer = await all.browser.post(path, { password: PASSWORD });
    if (answer.status !== 303) throw new Error(await errorOn(answer));
    return { ...all, second };
  }

  test('a password is removed with two passkeys, or with one and recovery codes', async () => {
    const one = await equipped();
    const refused = await one.browser.post(path, { password: PASSWORD });
    expect([refused.status, await errorOn(refused)]).toEqual([409, t.needsMore]);
    await secure(one.browser);
    const wrong = await one.browser.post(path, { password: 'wrong' });
    expect(wrong.status).toBe(400);
    expect((await store.users.findByEmail(one.email))?.passwordHash).not.toBeNull();
    expect((await one.browser.post(path, { password: PASSWORD })).headers.get('location')).toBe(
      `${ACCOUNT}?done=password_removed`,
    );
    expect((await store.users.findByEmail(one.email))?.passwordHash).toBeNull();
    expect((await actionsOf(one.user.id))[0]).toMatchObject({ action: 'password.removed' });

    const two = await equipped();
    const other = (await signInWith(two.device)).browser;
    await add(two.browser, makeDevice(BASE_URL));
    expect((await two.browser.post(path, { password: PASSWORD })).status).toBe(303);
    expect([await isSignedIn(two.browser), await isSignedIn(other)]).toEqual([true, false]);
    expect(await errorOn(await stranger().post('/dashboard/sign-in', { email: two.email, password: PASSWORD }))).toBe(
      SIGN_IN_TEXTS.en.wrong,
    );
  });

  test('no form asks for one, and an empty one is wrong', async () => {
    const { email, browser } = await passwordless();
    for (const page of [`${ACCOUNT}/delete`, `${ACCOUNT}/sessions/end`, `${ACCOUNT}/second-factor`, PASSKEYS]) {
      const markup = await (await browser.get(page)).text();
      expect([page, markup.includes('name="password"')]).toEqual([page, false]);
      expect(markup).toContain(t.use);
    }
    expect(await errorOn(await browser.post(`${ACCOUNT}/delete`, { password: '' }))).toBe(t.refused);
    expect(await store.users.findByEmail(email)).not.toBeNull();
  });

  test('the last passkey stays', async () => {
    const { user, browser, device, second } = await passwordless();
    const [first, last] = await store.passkeys.list(user.id);
    const remove = async (id = '') =>
      browser.post(`${PASSKEYS}/${id}/remove`, { passkey: second.sign(await optionsOn(browser)) });
    expect((await remove(first?.id)).status).toBe(303);
    const refused = await remove(last?.id);
    expect([refused.status, await errorOn(refused)]).toEqual([409, t.lastOne]);
    expect((await signInWith(second)).answer.status).toBe(303);
    expect(await errorOn((await signInWith(device)).answer)).toBe(t.unknown);
  });

  test('a recovery code in its place leads to a new one, once; a code of the app does not', async () => {
    const { email, browser } = await equipped();
    const { secret, codes } = await secure(browser);
    const post = (password: string) => stranger().post('/dashboard/sign-in', { email, password });
    // With a password, a code does not replace it.
    expect(await errorOn(await post(codes[0] ?? ''))).toBe(SIGN_IN_TEXTS.en.wrong);
    expect((await browser.post(path, { password: PASSWORD })).status).toBe(303);

    expect(await errorOn(await post(codeAt(secret, now)))).toBe(SIGN_IN_TEXTS.en.wrong);
    const link = (await post(codes[0] ?? '')).headers.get('location') ?? '';
    expect(link).toStartWith('/dashboard/reset/');
    expect(await errorOn(await post(codes[0] ?? ''))).toBe(SIGN_IN_TEXTS.en.wrong);
    const recovering = stranger();
    const answer = await recovering.post(link, { new_password: 'four unrelated words here' });
    expect(answer.headers.get('location')).toStartWith('/dashboard/second-factor');
    await recovering.post('/dashboard/second-factor', { recovery_code: codes[1] ?? '' });
    expect(await isSignedIn(recovering)).toBe(true);
  });

  test('a reset link of the command line sets one', async () => {
    const { email, user } = await passwordless();
    const { token } = await createResetLink(instance.context, user.id);
    await stranger().post(`/dashboard/reset/${token}`, { new_password: 'four unrelated words here' });
    const answer = await stranger().post('/dashboard/sign-in', { email, password: 'four unrelated words here' });
    expect(answer.status).toBe(303);
  });

  test('the user sets one again, confirmed by a passkey', async () => {
    const { email, browser, device } = await passwordless();
    const fields = { new_password: 'four unrelated words here' };
    expect((await browser.post(`${ACCOUNT}/password`, fields)).status).toBe(400);
    const passkey = device.sign(await optionsOn(browser));
    expect((await browser.post(`${ACCOUNT}/password`, { ...fields, passkey })).status).toBe(303);
    const answer = await stranger().post('/dashboard/sign-in', { email, password: fields.new_password });
    expect(answer.status).toBe(303);
  });
});

test('a passkey is removed by its user alone', async () => {
  const [mine, theirs] = [await equipped(), await equipped()];
  const [passkey] = await store.passkeys.list(mine.user.id);
  const path = `${PASSKEYS}/${passkey?.id}/remove`;
  expect((await theirs.browser.get(path)).status).toBe(404);
  expect((await theirs.browser.post(path, { password: PASSWORD })).status).toBe(404);
  expect((await mine.browser.post(path, { password: 'wrong' })).status).toBe(400);
  expect(await store.passkeys.list(mine.user.id)).toHaveLength(1);
});

test('deleting an account deletes its passkeys', async () => {
  const team = await instance.makeOwner();
  await settle(instance, team);
  const { email } = await settle(instance, team);
  const browser = stranger();
  await browser.post('/dashboard/sign-in', { email, password: PASSWORD });
  const device = makeDevice(BASE_URL);
  await add(browser, device);
  await browser.post(`${ACCOUNT}/delete`, { password: PASSWORD });
  const rows = await queryDatabase(instance.dataDir, `SELECT id FROM passkeys WHERE credential_id = '${device.id}'`);
  expect(rows).toEqual([]);
  expect(await errorOn((await signInWith(device)).answer)).toBe(t.unknown);
});

test('pages say that passkeys need script, and load theirs only with a button', async () => {
  const { browser } = await equipped();
  for (const page of ['/dashboard/sign-in', PASSKEYS]) {
    const markup = await (await (page === PASSKEYS ? browser : stranger()).get(page)).text();
    expect(markup).toContain(`<noscript>${t.needsScript}</noscript>`);
    expect(markup).toContain('/dashboard/assets/passkeys.js');
    expect(markup).toContain('name="password"');
  }
  expect(await (await browser.get('/dashboard/forms')).text()).not.toContain('passkeys.js');
});
