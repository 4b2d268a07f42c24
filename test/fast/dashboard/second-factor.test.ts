import { afterAll, describe, expect, test } from 'bun:test';
import { encode } from 'uqr';
import { SECOND_FACTOR_TEXTS } from '../../../src/dashboard/users/account/texts.ts';
import { MINUTE, type Micros, SECOND } from '../../../src/lib/clock.ts';
import { createResetLink } from '../../../src/services/users/accounts.ts';
import { createWebhook } from '../../../src/services/webhooks/webhooks.ts';
import { queryDatabase } from '../../support/database-rows.ts';
import { startInstance } from '../../support/instance.ts';
import { tracesOf } from '../../support/traces.ts';
import { placesOf } from '../visitor/canary.ts';
import { bytesOf, codeAt, STEP } from './authenticator.ts';
import { DECLARED, pagesAndActions } from './declarations.ts';
import { PASSWORD } from './signed-in.ts';
import { errorOn, settle, type Visitor, visitor, withoutNonce } from './visitor.ts';

/** The beginning of a time step. It advances only if a test changes it. */
let now: Micros = Date.UTC(2026, 10, 21, 12) * 1000;
const instance = await startInstance({ clock: () => now, env: { TRUSTED_PROXIES: '127.0.0.1' } });
afterAll(instance.stop);

const PAGE = '/dashboard/account/second-factor';
const ASKED = '/dashboard/second-factor';
const SIGN_IN = '/dashboard/sign-in';
const TEAM = '/dashboard/team/second-factor';

let lastClient = 0;
/** A browser with a client address of its own. */
const stranger = () => visitor(instance, { 'X-Forwarded-For': `198.51.${++lastClient >> 8}.${lastClient & 255}` });

/** Returns the secret shown on the page, and its sealed form in the hidden field. */
async function offerOn(browser: Visitor) {
  const markup = await (await browser.get(PAGE)).text();
  const shown = /<code id="secret"[^>]*>(.*?)<\/code>/.exec(markup)?.[1] ?? '';
  const offer = /name="offer" value="([^"]+)"/.exec(markup)?.[1] ?? '';
  return { markup, secret: shown.replace(/<[^>]+>/g, ''), offer };
}

const codesOn = (markup: string) => /<pre id="codes">([^<]+)<\/pre>/.exec(markup)?.[1]?.split('\n') ?? [];

/** Creates a user who turned on a second factor in the previous time step. */
async function secured(whose = instance.owner) {
  const { email, browser } = await settle(instance, whose);
  const { secret, offer } = await offerOn(browser);
  const answer = await browser.post(PAGE, { offer, code: codeAt(secret, now), password: PASSWORD });
  const markup = await answer.text();
  if (answer.status !== 200) throw new Error(markup);
  now += STEP;
  return { email, browser, secret, codes: codesOn(markup), markup };
}

/** Returns a browser with a pending session of a user. */
async function pendingAs(email: string, fields: Record<string, string> = {}) {
  const browser = stranger();
  const answer = await browser.post(SIGN_IN, { email, password: PASSWORD, ...fields });
  if (!answer.headers.get('location')?.startsWith(ASKED)) throw new Error(`${answer.status} ${await answer.text()}`);
  return browser;
}

const passes = async (email: string, code: string) =>
  (await (await pendingAs(email)).post(ASKED, { code })).status === 303;
const isSignedIn = async (browser: Visitor) => (await browser.get('/dashboard/account')).status === 200;
const codesLeft = async (email: string) => {
  const { store } = instance.context;
  return (await store.secondFactors.find((await store.users.findByEmail(email))?.id ?? ''))?.codesLeft ?? null;
};

test('the codes of these tests match RFC 6238', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  const codes = [59, 1111111109, 1111111111, 1234567890, 2000000000].map((at) => codeAt(secret, at * SECOND));
  expect(codes).toEqual(['287082', '081804', '050471', '005924', '279037']);
});

describe('turning on a second factor', () => {
  test('shows a new secret each time, as QR code, link and text, and stores none', async () => {
    const { browser, email } = await settle(instance);
    const { markup, secret, offer } = await offerOn(browser);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const address = /href="(otpauth:[^"]+)"/.exec(markup)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const url = new URL(address);
    expect(decodeURIComponent(url.pathname)).toEndWith(`Formstead:${email}`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      secret,
      issuer: 'Formstead',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
    expect(darkOn(markup)).toEqual(encode(address, { ecc: 'M', border: 0 }).data);
    const again = await offerOn(browser);
    expect([again.secret === secret, again.offer === offer]).toEqual([false, false]);
    expect(await codesLeft(email)).toBeNull();
    expect(placesOf(secret, instance)).toEqual([]);
  });

  test('requires a code and the password, shows ten recovery codes once, and ends all other sessions', async () => {
    const { email, browser } = await settle(instance);
    const other = stranger();
    await other.post(SIGN_IN, { email, password: PASSWORD });
    const { secret, offer } = await offerOn(browser);
    const before = visitor(instance, { Cookie: `formstead_session=${browser.cookies.get('formstead_session')}` });
    expect(await isSignedIn(before)).toBe(true);
    const answer = await browser.post(PAGE, { offer, code: codeAt(secret, now), password: PASSWORD });
    expect(await isSignedIn(before)).toBe(false);
    const markup = await answer.text();
    expect(answer.status).toBe(200);
    expect(markup).toContain('Second factor turned on. All other sessions were signed out.');
    const codes = codesOn(markup);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){5}$/);
    const file = decodeURIComponent(/href="data:text\/plain;charset=utf-8,([^"]+)"/.exec(markup)?.[1] ?? '');
    expect(file.split('\r\n').slice(2, 12)).toEqual(codes);
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
    const manage = await (await browser.get(PAGE)).text();
    expect(manage).toContain('10 recovery codes left.');
    for (const hidden of [secret, ...codes]) expect(manage).not.toContain(hidden);
    expect(await (await browser.get('/dashboard/account')).text()).toContain('<span class="badge good">On</span>');
  });

  test('stores and logs neither secret nor codes in the clear', async () => {
    const { email, secret, codes } = await secured();
    await passes(email, codeAt(secret, now));
    await passes(email, codes[0] ?? '');
    await passes(email, codes[0] ?? '');
    await passes(email, '000000');
    for (const text of [secret, ...codes, ...codes.map((code) => code.replace('-', ''))]) {
      expect([text, placesOf(text, instance)]).toEqual([text, []]);
    }
    expect(await tracesOf(instance.dataDir, [bytesOf(secret)])).toEqual([]);
  });

  test('keeps the secret on the page after a wrong code or password', async () => {
    const { email, browser } = await settle(instance);
    const { secret, offer } = await offerOn(browser);
    const right = { offer, code: codeAt(secret, now), password: PASSWORD };
    for (const [wrong, says] of [
      [{ code: codeAt(secret, now + 5 * STEP) }, 'Wrong code.'],
      [{ code: '' }, 'Wrong code.'],
      [{ password: 'wrong' }, 'Wrong password. Enter your current password.'],
    ] as const) {
      const answer = await browser.post(PAGE, { ...right, ...wrong });
      const markup = await answer.text();
      expect([answer.status, markup.includes(says), markup.includes(`value="${offer}"`)]).toEqual([400, true, true]);
      expect(markup).not.toContain(PASSWORD);
    }
    expect(await codesLeft(email)).toBeNull();
    expect((await browser.post(PAGE, right)).status).toBe(200);
  });

  test('rejects secrets of other sessions, forged secrets and used secrets', async () => {
    const [mine, theirs] = [await settle(instance), await settle(instance)];
    const { secret, offer } = await offerOn(theirs.browser);
    for (const made of [offer, '', 'AAAA', `${offer.slice(0, -4)}AAAA`]) {
      const answer = await mine.browser.post(PAGE, { offer: made, code: codeAt(secret, now), password: PASSWORD });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, PAGE]);
    }
    expect(await codesLeft(mine.email)).toBeNull();
    const fields = { offer, code: codeAt(secret, now), password: PASSWORD };
    const both = await Promise.all([theirs.browser.post(PAGE, fields), theirs.browser.post(PAGE, fields)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 303]);
    expect((await theirs.browser.post(PAGE, fields)).status).toBe(303);
  });
});

describe('signing in', () => {
  test('asks for the code only after the right password, and redirects to the requested page', async () => {
    const { email, secret } = await secured();
    const plain = await settle(instance);
    const tryAs = async (address: string) => {
      const answer = await stranger().post(SIGN_IN, { email: address, password: 'wrong password' });
      return [
        answer.status,
        answer.headers.getSetCookie(),
        withoutNonce(await answer.text()).replaceAll(address, 'ADDRESS'),
      ];
    };
    expect(await tryAs(email)).toEqual(await tryAs(plain.email));

    const browser = stranger();
    const to = '/dashboard/account?x=1';
    const first = await browser.post(SIGN_IN, { email, password: PASSWORD, to });
    const asked = `${ASKED}?to=${encodeURIComponent(to)}`;
    expect([first.status, first.headers.get('location')]).toEqual([303, asked]);
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^formstead_session=[\w-]{43}; Path=\/dashboard; HttpOnly; SameSite=Lax; Max-Age=600$/),
    ]);
    const pending = browser.cookies.get('formstead_session');
    const markup = await (await browser.get(asked)).text();
    expect(markup).toContain(`name="to" value="${to}"`);
    expect(markup).toMatch(
      /<input id="code" name="code"[^>]* autocomplete="one-time-code" required="" inputmode="numeric"/,
    );

    const second = await browser.post(ASKED, { code: codeAt(secret, now), to });
    expect([second.status, second.headers.get('location')]).toEqual([303, to]);
    const [session, mark] = second.headers.getSetCookie();
    expect(session).toContain('Max-Age=2592000');
    expect(mark).toStartWith('formstead_browser=');
    expect(browser.cookies.get('formstead_session')).not.toBe(pending);
    expect(await isSignedIn(browser)).toBe(true);
    const fixed = await fetch(`${instance.url}/dashboard/account`, {
      redirect: 'manual',
      headers: { Cookie: `formstead_session=${pending}` },
    });
    expect(fixed.headers.get('location')).toStartWith(SIGN_IN);
  });

  test('accepts codes of the current, previous and next time step, also with spaces', async () => {
    const { email, secret } = await secured();
    const taken: number[] = [];
    for (const steps of [-2, -1, 0, 1, 2]) {
      now += 10 * STEP;
      if (await passes(email, codeAt(secret, now + steps * STEP))) taken.push(steps);
    }
    expect(taken).toEqual([-1, 0, 1]);
    now += 10 * STEP + STEP - 1;
    expect(await passes(email, ` ${codeAt(secret, now).replace(/^.../, '$& ')} `)).toBe(true);
    now += 1;
    for (const code of ['', '000', '12345678', 'abcdef', '٣٣٣٣٣٣', codeAt(secret, now).slice(1)]) {
      expect(await passes(email, code)).toBe(false);
    }
  });

  test('rejects used codes, older codes, and the code that turned it on', async () => {
    const { email, browser } = await settle(instance);
    const { secret, offer } = await offerOn(browser);
    const confirmed = codeAt(secret, now);
    await browser.post(PAGE, { offer, code: confirmed, password: PASSWORD });
    expect(await passes(email, confirmed)).toBe(false);
    const next = codeAt(secret, now + STEP);
    expect([await passes(email, next), await passes(email, next)]).toEqual([true, false]);
    now += STEP;
    expect([await passes(email, next), await passes(email, confirmed)]).toEqual([false, false]);
    now += 5 * STEP;
    const browsers = await Promise.all(Array.from({ length: 5 }, () => pendingAs(email)));
    const code = codeAt(secret, now);
    const answers = await Promise.all(browsers.map((one) => one.post(ASKED, { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400, 400]);
    // One request completed the session; the others stay pending.
    const signedIn = await Promise.all(browsers.map(isSignedIn));
    expect(signedIn.filter(Boolean)).toHaveLength(1);
  });

  test('accepts each recovery code once in any spelling, also in parallel', async () => {
    const { email, secret, codes } = await secured();
    const [first = '', second = '', third = ''] = codes;
    const recover = async (code: string) =>
      (await (await pendingAs(email)).post(ASKED, { recovery_code: code })).status === 303;
    expect([await recover(first), await recover(first)]).toEqual([true, false]);
    const typed = ` ${second.toLowerCase().replace('-', ' – ').replaceAll('0', 'o').replaceAll('1', 'l')} `;
    expect([await recover(typed), await recover(second)]).toEqual([true, false]);
    const both = await Promise.all([recover(third), recover(third)]);
    expect(both.sort()).toEqual([false, true]);
    expect(await codesLeft(email)).toBe(7);
    const other = await secured();
    expect(await passes(other.email, codes[3] ?? '')).toBe(false);
    expect(await passes(email, codeAt(secret, now))).toBe(true);
  });

  test('accepts the ten-letter recovery codes of earlier versions', async () => {
    const { email } = await secured();
    const { store, vault } = instance.context;
    const id = (await store.users.findByEmail(email))?.id ?? '';
    await store.secondFactors.replaceCodes(id, [vault.fingerprint('recovery code', `${id}\0ABCDE12345`)], '');
    const recover = async () =>
      (await (await pendingAs(email)).post(ASKED, { recovery_code: 'abcde-12345' })).status === 303;
    expect([await recover(), await recover()]).toEqual([true, false]);
  });

  test('expires after ten minutes', async () => {
    const { email, secret } = await secured();
    const browser = await pendingAs(email);
    const inTime = await pendingAs(email);
    now += 10 * MINUTE - 1;
    expect((await inTime.post(ASKED, { code: codeAt(secret, now) })).status).toBe(303);
    now += 1;
    expect(await isSignedIn(inTime)).toBe(true);
    const late = await browser.post(ASKED, { code: codeAt(secret, now + STEP), to: '/dashboard/mail' });
    expect([late.status, late.headers.get('location')]).toEqual([303, `${SIGN_IN}?to=%2Fdashboard%2Fmail`]);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('redirects users who are signed in, and visitors without a session', async () => {
    const { browser } = await settle(instance);
    const to = encodeURIComponent('/dashboard/mail');
    const led = async (one: Visitor, path: string) => (await one.get(path)).headers.get('location');
    expect(await led(browser, `${ASKED}?to=${to}`)).toBe('/dashboard/mail');
    expect(await led(browser, `${ASKED}?to=https%3A%2F%2Fevil.example`)).toBe('/dashboard/forms');
    expect(await led(stranger(), `${ASKED}?to=${to}`)).toBe(`${SIGN_IN}?to=${to}`);
    const posted = await stranger().post(ASKED, { code: '123456' });
    expect(posted.headers.get('location')).toStartWith(SIGN_IN);
  });

  test('stores the time zone of the browser after the right code', async () => {
    const { email, secret } = await secured();
    const zone = async () => (await instance.context.store.users.findByEmail(email))?.timeZone ?? null;
    const browser = await pendingAs(email, { time_zone: 'Europe/Berlin' });
    expect(await zone()).toBeNull();
    await browser.post(ASKED, { code: codeAt(secret, now), time_zone: 'Asia/Tokyo' });
    expect(await zone()).toBe('Asia/Tokyo');
  });

  test('asks for the code after a password reset', async () => {
    const { email, secret } = await secured();
    const user = await instance.context.store.users.findByEmail(email);
    const { token } = await createResetLink(instance.context, user?.id ?? '');
    const browser = stranger();
    const answer = await browser.post(`/dashboard/reset/${token}`, { new_password: 'an altogether new passphrase' });
    expect(answer.headers.get('location')).toStartWith(ASKED);
    expect(await isSignedIn(browser)).toBe(false);
    await browser.post(ASKED, { code: codeAt(secret, now) });
    expect(await isSignedIn(browser)).toBe(true);
  });
});

describe('a pending session', () => {
  test('reaches only open pages and actions, and is not listed', async () => {
    const { email, browser, secret } = await secured();
    const waiting = await pendingAs(email);
    const routes = pagesAndActions(instance.context);
    let led = 0;
    for (const { method, path } of routes) {
      if (DECLARED[`${method} ${path}`]?.access === 'open') continue;
      const address = path.replace(/[:*]\w*/g, 'x');
      const answer = await (method === 'GET' ? waiting.get(address) : waiting.post(address, { name: 'x' }));
      const to = method === 'GET' && address !== '/dashboard' ? `?to=${encodeURIComponent(address)}` : '';
      expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 303, `${ASKED}${to}`]);
      led++;
    }
    expect(led).toBeGreaterThan(40);
    const signIn = await waiting.get(`${SIGN_IN}?to=%2Fdashboard%2Fmail`);
    expect(signIn.status).toBe(200);
    const failure = await waiting.get('/dashboard/welcome/x');
    expect(await failure.text()).not.toContain('<nav');
    expect((await (await browser.get('/dashboard/account')).text()).match(/\/sessions\/ses_/g)).toHaveLength(1);
    expect((await waiting.post(ASKED, { code: codeAt(secret, now) })).status).toBe(303);
    const leaving = await pendingAs(email);
    await leaving.post('/dashboard/sign-out');
    expect((await leaving.get(ASKED)).headers.get('location')).toStartWith(SIGN_IN);
  });

  test('ends after five wrong codes, also in parallel', async () => {
    const { email, secret } = await secured();
    const browser = await pendingAs(email);
    for (let count = 0; count < 4; count++) {
      const answer = await browser.post(ASKED, { code: '000000', to: '/dashboard/mail' });
      const markup = await answer.text();
      expect([answer.status, markup.includes('Wrong code, or already used.')]).toEqual([400, true]);
      expect(markup).toContain('name="to" value="/dashboard/mail"');
    }
    const last = await browser.post(ASKED, { code: '000000', to: '/dashboard/mail' });
    expect(last.status).toBe(400);
    expect(await last.text()).toContain(`<a href="${SIGN_IN}?to=%2Fdashboard%2Fmail">`);
    expect(browser.cookies.has('formstead_session')).toBe(false);
    const another = await pendingAs(email);
    const secrets = another.cookies.get('formstead_session');
    await Promise.all(Array.from({ length: 8 }, () => another.post(ASKED, { code: '000000' })));
    const right = await fetch(instance.url + ASKED, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: new URL(instance.url).origin, Cookie: `formstead_session=${secrets}` },
      body: new URLSearchParams({ code: codeAt(secret, now) }),
    });
    expect(right.headers.get('location')).toStartWith(SIGN_IN);
  });

  test('has twenty attempts a day per account, and known browsers have their own', async () => {
    const { email, secret } = await secured();
    const known = await pendingAs(email);
    await known.post(ASKED, { code: codeAt(secret, now) });
    await known.post('/dashboard/sign-out');
    now += STEP;
    const statuses: number[] = [];
    for (let round = 0; round < 4; round++) {
      const browser = await pendingAs(email);
      for (let count = 0; count < 5; count++) statuses.push((await browser.post(ASKED, { code: '000000' })).status);
    }
    expect(statuses).toEqual(Array(20).fill(400));
    const refused = await (await pendingAs(email)).post(ASKED, { code: codeAt(secret, now) });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(86_000, 86_401);
    expect(await errorOn(refused)).toBe('Too many wrong codes. Try again in 24 hours.');
    await known.post(SIGN_IN, { email, password: PASSWORD });
    expect((await known.post(ASKED, { code: codeAt(secret, now) })).status).toBe(303);
    expect(await isSignedIn(known)).toBe(true);
  });

  test('ends when the password or the second factor changes', async () => {
    const { email, browser, secret } = await secured();
    const first = await pendingAs(email);
    await browser.post('/dashboard/account/password', { password: PASSWORD, new_password: PASSWORD });
    const second = await pendingAs(email);
    await browser.post(`${PAGE}/codes`, { password: PASSWORD, code: codeAt(secret, now) });
    now += STEP;
    for (const one of [first, second]) {
      const answer = await one.post(ASKED, { code: codeAt(secret, now) });
      expect(answer.headers.get('location')).toStartWith(SIGN_IN);
    }
  });
});

describe('changing a second factor', () => {
  test('requires the password, with ten attempts in ten minutes', async () => {
    const { email, browser, secret } = await secured();
    for (const path of [`${PAGE}/codes`, `${PAGE}/off`]) {
      for (const password of ['', 'wrong', codeAt(secret, now)]) {
        const answer = await browser.post(path, { password });
        expect([answer.status, await errorOn(answer)]).toEqual([400, 'Wrong password. Enter your current password.']);
      }
    }
    for (let count = 0; count < 4; count++) await browser.post(`${PAGE}/off`, { password: 'wrong' });
    expect((await browser.post(`${PAGE}/off`, { password: PASSWORD })).status).toBe(429);
    expect(await codesLeft(email)).toBe(10);
  });

  test('requires a code besides the password, which is used up, with twenty attempts a day', async () => {
    const { email, browser, secret, codes } = await secured();
    const post = (path: string, code: string) => browser.post(PAGE + path, { password: PASSWORD, code });
    for (const path of ['/codes', '/off']) {
      for (const code of ['', '123456', codeAt(secret, now - 2 * STEP), 'ABCDE-FGHJK']) {
        const answer = await post(path, code);
        expect([answer.status, await errorOn(answer)]).toEqual([400, SECOND_FACTOR_TEXTS.en.ask.wrong]);
      }
    }
    const { store } = instance.context;
    const userId = (await store.users.findByEmail(email))?.id ?? '';
    expect((await post('/codes', codes[0] ?? '')).status).toBe(200);
    expect((await store.secondFactors.find(userId))?.codesLeft).toBe(10);
    expect((await post('/off', codes[0] ?? '')).status).toBe(400);
    for (let count = 0; count < 11; count++) await post('/off', '123456');
    expect((await post('/off', codeAt(secret, now))).status).toBe(429);
    expect(await store.secondFactors.find(userId)).not.toBeNull();
  });

  test('replaces recovery codes and ends all other sessions', async () => {
    const { email, browser, secret, codes } = await secured();
    const other = await pendingAs(email);
    await other.post(ASKED, { code: codes[0] ?? '' });
    expect(await isSignedIn(other)).toBe(true);
    const answer = await browser.post(`${PAGE}/codes`, { password: PASSWORD, code: codes[2] ?? '' });
    const fresh = codesOn(await answer.text());
    expect(new Set([...codes, ...fresh]).size).toBe(20);
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
    expect([await passes(email, codes[1] ?? ''), await passes(email, fresh[1] ?? '')]).toEqual([false, true]);
    expect(await passes(email, codeAt(secret, now))).toBe(true);
  });

  test('turns it off, ends all other sessions, and allows turning it on again', async () => {
    const { email, browser, secret, codes } = await secured();
    const other = await pendingAs(email);
    await other.post(ASKED, { code: codes[0] ?? '' });
    const answer = await browser.post(`${PAGE}/off`, { password: PASSWORD, code: codeAt(secret, now) });
    expect(answer.headers.get('location')).toBe(`${PAGE}?done=off`);
    const page = await (await browser.get(`${PAGE}?done=off`)).text();
    expect(page).toContain('Second factor turned off. All other sessions were signed out.');
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([true, false]);
    const plain = await stranger().post(SIGN_IN, { email, password: PASSWORD });
    expect(plain.headers.get('location')).toBe('/dashboard/forms');
    const again = await offerOn(browser);
    await browser.post(PAGE, { offer: again.offer, code: codeAt(again.secret, now), password: PASSWORD });
    now += STEP;
    for (const old of [codeAt(secret, now), codes[1] ?? '']) expect(await passes(email, old)).toBe(false);
    expect(await passes(email, codeAt(again.secret, now))).toBe(true);
    for (const path of ['/codes', '/off']) {
      const nothing = await (await settle(instance)).browser.post(PAGE + path, { password: PASSWORD });
      expect(nothing.headers.get('location')).toBe(PAGE);
    }
  });
});

describe('a team that requires a second factor', () => {
  test('can be set up by an owner who has one', async () => {
    const owner = await instance.makeOwner();
    const { browser } = await settle(instance, owner);
    const refused = await browser.post(TEAM, { required: 'yes', page_team: owner.teamId });
    expect([refused.status, (await refused.text()).includes(SECOND_FACTOR_TEXTS.en.team.needsOwn)]).toEqual([
      400,
      true,
    ]);
    expect((await browser.get('/dashboard/forms')).status).toBe(200);
    expect(await (await browser.get(TEAM)).text()).not.toContain('name="required"');
  });

  test('redirects members without one to the set-up from their next request on', async () => {
    const owner = await instance.makeOwner();
    const chief = await secured(owner);
    const member = await settle(instance, owner);
    expect((await member.browser.get('/dashboard/forms')).status).toBe(200);
    const required = await chief.browser.post(TEAM, { required: 'yes', page_team: owner.teamId });
    expect(required.headers.get('location')).toBe(`${TEAM}?done=required`);
    expect((await chief.browser.get('/dashboard/forms')).status).toBe(200);

    const routes = pagesAndActions(instance.context);
    let led = 0;
    for (const { method, path } of routes) {
      const access = DECLARED[`${method} ${path}`]?.access;
      if (access === 'open' || access === 'self') continue;
      const address = path.replace(/:\w+/g, 'x');
      const answer = await (method === 'GET' ? member.browser.get(address) : member.browser.post(address));
      expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 303, PAGE]);
      led++;
    }
    expect(led).toBeGreaterThan(40);
    expect((await member.browser.get('/dashboard/account')).status).toBe(200);

    const { markup, secret, offer } = await offerOn(member.browser);
    expect(markup).toContain('The team “Team” requires a second factor. Set one up to continue.');
    await member.browser.post(PAGE, { offer, code: codeAt(secret, now), password: PASSWORD });
    expect((await member.browser.get('/dashboard/forms')).status).toBe(200);
    const manage = await (await member.browser.get(PAGE)).text();
    expect(manage).toContain('The team “Team” requires a second factor. If you turn it off');
    now += STEP;
    await member.browser.post(`${PAGE}/off`, { password: PASSWORD, code: codeAt(secret, now) });
    expect((await member.browser.get('/dashboard/forms')).headers.get('location')).toBe(PAGE);

    await chief.browser.post(TEAM, { required: 'no', page_team: owner.teamId });
    expect((await member.browser.get('/dashboard/forms')).status).toBe(200);
  });

  test('does not affect other teams or API keys', async () => {
    const owner = await instance.makeOwner();
    const chief = await secured(owner);
    const neighbour = await settle(instance, await instance.makeOwner());
    await chief.browser.post(TEAM, { required: 'yes', page_team: owner.teamId });
    expect((await neighbour.browser.get('/dashboard/forms')).status).toBe(200);
    expect((await instance.api('GET', '/v1/workspaces', { key: owner.readKey })).status).toBe(200);
  });
});

test('an instance that requires a second factor redirects all users to the set-up', async () => {
  const strict = await startInstance({ clock: () => now, env: { REQUIRE_SECOND_FACTOR: 'yes' } });
  const { browser } = await settle(strict);
  for (const path of ['/dashboard/forms', '/dashboard/inbox', TEAM, '/dashboard/mail/server']) {
    expect((await browser.get(path)).headers.get('location')).toBe(PAGE);
  }
  // Nor is the team's trouble told.
  const { webhook } = await createWebhook(strict.context, strict.owner.form.id, 'standard', {
    url: 'http://127.0.0.1:1/',
  });
  queryDatabase(strict.dataDir, `UPDATE webhooks SET disabled_reason = 'failing' WHERE id = '${webhook.id}'`);
  expect(await (await browser.get('/dashboard/account')).text()).not.toContain(strict.owner.form.name);
  expect((await browser.post('/dashboard/workspaces', { name: 'One more' })).headers.get('location')).toBe(PAGE);
  const { markup, secret, offer } = await offerOn(browser);
  expect(markup).toContain('This instance requires a second factor. Set one up to continue.');
  await browser.post(PAGE, { offer, code: codeAt(secret, now), password: PASSWORD });
  expect((await browser.get('/dashboard/forms')).status).toBe(200);
  const team = await (await browser.get(TEAM)).text();
  expect(team).toContain(SECOND_FACTOR_TEXTS.en.team.ofInstance);
  expect(team).not.toContain('name="required"');
  for (const required of ['yes', 'no']) {
    const refused = await browser.post(TEAM, { required, page_team: strict.owner.teamId });
    expect(refused.status).toBe(409);
    expect(await errorOn(refused)).toBe(SECOND_FACTOR_TEXTS.en.team.ofInstance);
    const kept = await strict.context.store.teams.find(strict.owner.teamId);
    expect(kept?.requiresSecondFactor).toBe(false);
  }
  expect(await (await browser.get(PAGE)).text()).toContain(
    'This instance requires a second factor. If you turn it off',
  );
  now += STEP;
  await browser.post(`${PAGE}/off`, { password: PASSWORD, code: codeAt(secret, now) });
  expect((await browser.get('/dashboard/forms')).headers.get('location')).toBe(PAGE);
  expect((await strict.api('GET', '/v1/workspaces', { key: strict.owner.readKey })).status).toBe(200);
  await strict.stop();
});

/** Returns the dark squares of the QR code on a page, row by row. */
function darkOn(markup: string): boolean[][] {
  const path = /fill="#000" d="([^"]+)"/.exec(markup)?.[1] ?? '';
  const side = Number(/class="qr" viewBox="-4 -4 (\d+)/.exec(markup)?.[1]) - 8;
  const rows = Array.from({ length: side }, () => Array<boolean>(side).fill(false));
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    rows[Number(y)]?.fill(true, Number(x), Number(x) + Number(length));
  }
  return rows;
}
