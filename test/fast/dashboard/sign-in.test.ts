import { afterAll, afterEach, beforeAll, describe, expect, mock, spyOn, test } from 'bun:test';
import { MINUTE, systemClock } from '../../../src/lib/clock.ts';
import { createResetLink, createWelcomeLink } from '../../../src/services/users/accounts.ts';
import { hashToken } from '../../../src/services/users/sessions.ts';
import { SignInThrottle } from '../../../src/services/users/sign-in-throttle.ts';
import { startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { PASSWORD } from './signed-in.ts';
import { errorOn, settle, visitor, withoutNonce } from './visitor.ts';

const instance = await startInstance({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
afterAll(instance.stop);
afterEach(() => {
  mock.restore();
});

let lastClient = 0;
/** A browser with a client address of its own. */
const stranger = (headers: Record<string, string> = {}) =>
  visitor(instance, { 'X-Forwarded-For': `198.51.${++lastClient >> 8}.${lastClient & 255}`, ...headers });

/** Makes every password wrong without hashing, which is slow, for the rest of a test. */
const letPasswordsBeWrong = () => spyOn(Bun.password, 'verify').mockResolvedValue(false);

const SIGN_IN = '/dashboard/sign-in';
const WRONG = 'Wrong email or password. Check both and try again.';

describe('signing in', () => {
  test('redirects to the forms and sets a cookie that scripts cannot read', async () => {
    const { email } = await settle(instance);
    const browser = stranger();
    expect((await browser.get(SIGN_IN)).status).toBe(200);
    const answer = await browser.post(SIGN_IN, { email, password: PASSWORD });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/forms']);
    const [session, mark] = answer.headers.getSetCookie();
    expect(session).toMatch(/^formstead_session=[\w-]{43}; Path=\/dashboard; HttpOnly; SameSite=Lax; Max-Age=2592000$/);
    expect(mark).toMatch(/^formstead_browser=\S+; Path=\/dashboard; HttpOnly; SameSite=Lax; Max-Age=31536000$/);
    expect((await browser.get('/dashboard/account')).status).toBe(200);
  });

  test('sets a Secure __Host- cookie over TLS only', async () => {
    const { email } = await settle(instance);
    const secure = { Origin: 'https://forms.example', Host: 'forms.example' };
    const browser = stranger();
    const answer = await browser.post(SIGN_IN, { email, password: PASSWORD }, secure);
    expect(answer.status).toBe(303);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-formstead_session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
      ),
      expect.stringMatching(
        /^__Host-formstead_browser=\S+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=31536000$/,
      ),
    ]);
    expect((await browser.get('/dashboard/account')).status).toBe(200);
    const out = await browser.post('/dashboard/sign-out', {}, secure);
    expect(out.headers.getSetCookie()).toEqual([
      '__Host-formstead_session=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0',
    ]);
  });

  describe('with an https BASE_URL', () => {
    const secured = startInstance({ env: { BASE_URL: 'https://forms.example' } });
    afterAll(async () => (await secured).stop());

    test('sets Secure __Host- cookies also for a request over plain HTTP, and accepts no others', async () => {
      const { email, browser } = await settle(await secured);
      expect([...browser.cookies.keys()].sort()).toEqual(['__Host-formstead_browser', '__Host-formstead_session']);
      expect(await (await browser.get('/dashboard/account')).text()).toContain(email);
      const secret = browser.cookies.get('__Host-formstead_session');
      const planted = visitor(await secured, { Cookie: `formstead_session=${secret}` });
      expect((await planted.get('/dashboard/account')).headers.get('location')).toStartWith('/dashboard/sign-in');
      const out = await browser.post('/dashboard/sign-out');
      expect(out.headers.getSetCookie()).toEqual([
        '__Host-formstead_session=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0',
      ]);
    });

    test('refuses a post of the same host over plain http, where a browser sends only Origin', async () => {
      const { email } = await settle(await secured);
      const statusOf = async (Origin: string) => {
        const headers = { Origin, Host: 'forms.example' };
        return (await visitor(await secured).post(SIGN_IN, { email, password: PASSWORD }, headers)).status;
      };
      expect(await statusOf('https://forms.example')).toBe(303);
      expect(await statusOf('http://forms.example')).toBe(403);
      expect(await statusOf('https://forms.example:8443')).toBe(403);
    });

    test('accepts no device cookie without __Host-', async () => {
      const { email, browser } = await settle(await secured);
      const mark = browser.cookies.get('__Host-formstead_browser');
      const wrong = { email, password: 'wrong wrong wrong' };
      const limited = async (name: string) => {
        const answer = await visitor(await secured, { Cookie: `${name}=${mark}` }).post(SIGN_IN, wrong);
        return answer.status === 429;
      };
      for (let attempt = 0; attempt < 10; attempt++) await limited('formstead_browser');
      expect(await limited('formstead_browser')).toBe(true);
      expect(await limited('__Host-formstead_browser')).toBe(false);
    });
  });

  test('prefers the __Host- cookie over another one', async () => {
    const [mine, theirs] = [await settle(instance), await settle(instance)];
    const secretOf = ({ browser }: typeof mine) => browser.cookies.get('formstead_session');
    const planted = `formstead_session=${secretOf(theirs)}; __Host-formstead_session=${secretOf(mine)}`;
    const page = await (await stranger({ Cookie: planted }).get('/dashboard/account')).text();
    expect(page).toContain(mine.email);
    expect(page).not.toContain(theirs.email);
  });

  test('ignores case and spaces of the address, and Unicode composition of the password', async () => {
    const { email } = await settle(instance);
    const capitals = ` ${email.toUpperCase()} `;
    expect((await stranger().post(SIGN_IN, { email: capitals, password: PASSWORD })).status).toBe(303);
    const composed = 'sch\u00f6ne gr\u00fc\u00dfe allerseits';
    const changed = await settle(instance);
    await changed.browser.post('/dashboard/account/password', { password: PASSWORD, new_password: composed });
    const decomposed = composed.normalize('NFD');
    expect(decomposed).not.toBe(composed);
    expect((await stranger().post(SIGN_IN, { email: changed.email, password: decomposed })).status).toBe(303);
  });

  test('ends the previous session of the browser', async () => {
    const { email, browser } = await settle(instance);
    const before = stranger({ Cookie: `formstead_session=${browser.cookies.get('formstead_session')}` });
    expect((await before.get('/dashboard/account')).status).toBe(200);
    expect((await browser.post(SIGN_IN, { email, password: PASSWORD })).status).toBe(303);
    expect((await before.get('/dashboard/account')).status).toBe(303);
    expect((await browser.get('/dashboard/account')).status).toBe(200);
  });

  test('keeps the address but not a wrong password in the form', async () => {
    const { email } = await settle(instance);
    const answer = await stranger().post(SIGN_IN, { email, password: 'wrong "password" here' });
    expect(answer.status).toBe(400);
    expect(answer.headers.getSetCookie()).toEqual([]);
    const markup = await answer.text();
    expect(markup).toContain(`value="${email}"`);
    expect(markup).not.toContain('wrong');
    expect(await errorOn(new Response(markup))).toBe(WRONG);
  });

  test("stores the browser's time zone unless the user has set one", async () => {
    const { email } = await settle(instance);
    const zoneAfter = async (zone: string) => {
      await stranger().post(SIGN_IN, { email, password: PASSWORD, time_zone: zone });
      return (await instance.context.store.users.findByEmail(email))?.timeZone;
    };
    expect(await zoneAfter('')).toBeNull();
    expect(await zoneAfter('Mars/Olympus')).toBeNull();
    expect(await zoneAfter('Europe/Berlin')).toBe('Europe/Berlin');
    expect(await zoneAfter('Asia/Tokyo')).toBe('Europe/Berlin');
  });

  test('redirects users who are signed in', async () => {
    const { browser } = await settle(instance);
    const answer = await browser.get(`${SIGN_IN}?to=%2Fdashboard%2Faccount`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/account']);
  });

  test('accepts posts of our own pages only', async () => {
    const { email } = await settle(instance);
    const refused: Array<Record<string, string>> = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ];
    for (const headers of refused) {
      const answer = await stranger().post(SIGN_IN, { email, password: PASSWORD }, headers);
      expect([headers, answer.status, answer.headers.getSetCookie()]).toEqual([headers, 403, []]);
    }
  });

  test('fails if the password is changed while it is being checked', async () => {
    const { email } = await settle(instance);
    const { store } = instance.context;
    const { token } = await createResetLink(instance.context, (await store.users.findByEmail(email))?.id ?? '');
    const { verify } = Bun.password;
    const slow = spyOn(Bun.password, 'verify').mockImplementation(async (password, hash) => {
      const isRight = await verify(password, hash);
      await store.users.setPasswordByLink(hashToken(token), 'another hash');
      return isRight;
    });
    const answer = await stranger().post(SIGN_IN, { email, password: PASSWORD });
    slow.mockRestore();
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([400, []]);
  });

  test('does not log the input', async () => {
    const { email } = await settle(instance);
    await stranger().post(SIGN_IN, { email, password: 'canary-password' });
    await stranger().post(SIGN_IN, { email: 'canary@example.com', password: PASSWORD });
    const log = instance.logs.join('');
    for (const word of ['canary', email, PASSWORD]) expect(log).not.toContain(word);
  });
});

describe('the redirect after a sign-in', () => {
  test.each(['/dashboard/account', '/dashboard/forms/frm_1/settings?x=1&y=%2F'])(
    'leads to the requested page: %s',
    async (to) => {
      const { email } = await settle(instance);
      const browser = stranger();
      const asked = await browser.get(to);
      const location = asked.headers.get('location') ?? '';
      expect(location).toBe(`${SIGN_IN}?to=${encodeURIComponent(to)}`);
      const markup = await (await browser.get(location)).text();
      expect(markup).toContain(`name="to" value="${Bun.escapeHTML(to)}"`);
      const answer = await browser.post(SIGN_IN, { email, password: PASSWORD, to });
      expect(answer.headers.get('location')).toBe(to);
    },
  );

  let signedIn: ReturnType<typeof settle>;
  beforeAll(() => {
    signedIn = settle(instance);
  });
  const elsewhere = [
    'https://evil.example/dashboard/forms',
    '//evil.example/dashboard/forms',
    '///evil.example/dashboard/forms',
    '/\\evil.example/dashboard/forms',
    '\\\\evil.example/dashboard/forms',
    '/dashboard/../\\evil.example',
    '/dashboard/..//evil.example/dashboard/',
    '/dashboard/%2e%2e//evil.example',
    '/\t/evil.example/dashboard/',
    ' //evil.example/dashboard/',
    'javascript:alert(1)',
    'data:text/html,x',
    'http:evil.example/dashboard/',
    'https:/evil.example/dashboard/',
    'http://here.invalid@evil.example/dashboard/',
    'http://',
    '/dashboardx',
    '/v1/forms',
    '',
  ];
  test.each(elsewhere)('never leads to another site: %j', async (to) => {
    const { email, browser } = await signedIn;
    const query = new URLSearchParams({ to });
    const shown = await stranger().get(`${SIGN_IN}?${query}`);
    expect(await shown.text()).toContain('name="to" value="/dashboard/forms"');
    const posted = await stranger().post(SIGN_IN, { email, password: PASSWORD, to });
    const already = await browser.get(`${SIGN_IN}?${query}`);
    for (const answer of [posted, already]) expect(answer.headers.get('location')).toBe('/dashboard/forms');
  });

  test('never contains line breaks', async () => {
    const { email } = await signedIn;
    const to = '/dashboard/forms\r\nSet-Cookie: a=b';
    const answer = await stranger().post(SIGN_IN, { email, password: PASSWORD, to });
    expect(answer.headers.get('location')).toBe('/dashboard/formsSet-Cookie:%20a=b');
  });
});

describe('an address without an account', () => {
  test('gets the same response, after the same work, as one with an account', async () => {
    const email = 'settled@example.com';
    const { token } = await createWelcomeLink(instance.context, instance.owner.teamId);
    await stranger().post(`/dashboard/welcome/${token}`, { email, new_password: PASSWORD });
    const verify = spyOn(Bun.password, 'verify');
    const tryAs = async (address: string) => {
      verify.mockClear();
      const answer = await stranger().post(SIGN_IN, { email: address, password: 'wrong password here' });
      const markup = withoutNonce(await answer.text()).replaceAll(address, 'ADDRESS');
      const work = verify.mock.calls.map(
        ([, hash]) => /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$/.exec(String(hash))?.[0],
      );
      return { status: answer.status, headers: [...answer.headers.keys()].sort(), markup, work };
    };
    const known = await tryAs(email);
    const unknown = await tryAs('nobody@example.com');
    verify.mockRestore();
    expect(known.work).toEqual(['$argon2id$v=19$m=19456,t=2,p=1$']);
    expect(unknown).toEqual(known);
  });

  test('is rate-limited like one with an account', async () => {
    const { email } = await settle(instance);
    letPasswordsBeWrong();
    for (const address of [email, 'nobody-else@example.com']) {
      const statuses = [];
      for (let count = 0; count < 21; count++) {
        statuses.push((await stranger().post(SIGN_IN, { email: address, password: 'wrong' })).status);
      }
      expect(statuses).toEqual([...Array(20).fill(400), 429]);
    }
  });
});

describe('password guessing', () => {
  test('is refused after ten wrong passwords from one client, even with the right password or in parallel', async () => {
    const { email } = await settle(instance);
    const guesser = stranger();
    // The clock of the rate limit does not advance during the guesses.
    const clock = spyOn(performance, 'now').mockReturnValue(performance.now());
    const verify = spyOn(Bun.password, 'verify');
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, n) => guesser.post(SIGN_IN, { email: `a${n % 5}@example.com`, password: `${n}` })),
    );
    const looked = verify.mock.calls.length;
    verify.mockRestore();
    expect(looked).toBe(10);
    expect(guesses.filter(({ status }) => status === 400)).toHaveLength(10);
    const right = await guesser.post(SIGN_IN, { email, password: PASSWORD });
    expect(right.status).toBe(429);
    expect(right.headers.get('retry-after')).toBe('600');
    expect(await errorOn(right)).toBe('Too many attempts. Try again in 10 minutes, or reset your password.');
    expect((await stranger().post(SIGN_IN, { email, password: PASSWORD })).status).toBe(303);
    clock.mockRestore();
  });

  test('from many clients does not lock out a known browser', async () => {
    const { email } = await settle(instance);
    const owner = stranger();
    await owner.post(SIGN_IN, { email, password: PASSWORD });
    await owner.post('/dashboard/sign-out');
    expect([...owner.cookies.keys()]).toEqual(['formstead_browser']);
    const guess = () => stranger().post(SIGN_IN, { email, password: 'wrong' });
    await Promise.all(Array.from({ length: 20 }, guess));
    expect((await guess()).status).toBe(429);
    expect((await stranger().post(SIGN_IN, { email, password: PASSWORD })).status).toBe(429);
    const wrong = await owner.post(SIGN_IN, { email, password: 'wrong' });
    const right = await owner.post(SIGN_IN, { email, password: PASSWORD });
    expect([wrong.status, right.status]).toEqual([400, 303]);
  });

  test('gets no extra attempts with a foreign, forged or overused device cookie', async () => {
    const [victim, guesser] = [await settle(instance), await settle(instance)];
    const mark = guesser.browser.cookies.get('formstead_browser') ?? '';
    const [nonce = '', signature = ''] = mark.split('.');
    for (let count = 0; count < 20; count++) await stranger().post(SIGN_IN, { email: victim.email, password: 'wrong' });
    const marks = [
      mark,
      `${nonce}.`,
      `${nonce}`,
      `.${signature}`,
      `x${nonce}.${signature}`,
      '.',
      `${nonce}.${'0'.repeat(32)}`,
    ];
    for (const made of marks) {
      const headers = { Cookie: `formstead_browser=${made}` };
      const answer = await stranger(headers).post(SIGN_IN, { email: victim.email, password: 'wrong' });
      expect([made, answer.status]).toEqual([made, 429]);
    }
    const own = victim.browser.cookies.get('formstead_browser');
    const stolen = (end: string) =>
      stranger({ Cookie: `formstead_browser=${own}${end}` }).post(SIGN_IN, { email: victim.email, password: 'wrong' });
    const statuses = [];
    for (const end of ['', '.', '.a', '.b', '.c', '.d', '', '', '', '', '.e'])
      statuses.push((await stolen(end)).status);
    expect(statuses).toEqual([...Array(10).fill(400), 429]);
  });

  test('with a device cookie in another case counts as without one', async () => {
    const headers = { Cookie: `formstead_browser=x.${'é'.repeat(32)}` };
    const answer = await stranger(headers).post(SIGN_IN, { email: 'a@example.com', password: 'wrong' });
    expect(answer.status).toBe(400);
  });

  test.each([
    [2_500, 400],
    [40_000, 413],
  ])('with a password or address of %d combining marks is refused', async (count, status) => {
    const { email } = await settle(instance);
    const marks = `a${'\u0301\u0316'.repeat(count / 2)}`;
    for (const fields of [
      { email, password: marks },
      { email: `a@${marks}`, password: PASSWORD },
      { email, password: 'wrong', to: `//${marks}` },
    ]) {
      expect((await stranger().post(SIGN_IN, fields)).status).toBe(status);
    }
  });

  test('is forgotten after ten minutes, and right passwords do not count', async () => {
    let now = systemClock();
    const clock = () => now;
    const own = await startInstance({ clock });
    const tries = new SignInThrottle({ ...own.context, monotonic: clock });
    const from = { client: '203.0.113.1', mark: null };
    const begin = () => tries.begin('a@example.com', from);
    for (let count = 0; count < 100; count++) {
      expect(await begin()).toBe(0);
      await tries.takeBack('a@example.com', from);
    }
    for (let count = 0; count < 10; count++) expect(await begin()).toBe(0);
    expect(await begin()).toBe(600);
    now += 10 * MINUTE - 1;
    expect(await begin()).toBe(1);
    now += 1;
    expect(await begin()).toBe(0);
    await own.stop();
  });

  /** Passwords verified at once, and queued. */
  const TAKEN_ON = 42;

  /** Sends more sign-ins than the server queues. Their passwords are verified after `release` is called. */
  async function flood() {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { verify } = Bun.password;
    const held = spyOn(Bun.password, 'verify').mockImplementation(async (password, hash) => {
      await released;
      return password === 'wrong' ? false : verify(password, hash);
    });
    const refused: Response[] = [];
    const answers = Array.from({ length: TAKEN_ON + 10 }, async (_, n) => {
      const answer = await stranger().post(SIGN_IN, { email: `flood${n}@example.com`, password: 'wrong' });
      if (answer.status === 429) refused.push(answer);
      return answer.status;
    });
    await until(() => refused.length === 10, 'the sign-ins beyond those taken on to be refused');
    return {
      refused,
      release: async () => {
        release();
        const statuses = await Promise.all(answers);
        held.mockRestore();
        return statuses;
      },
    };
  }

  test('beyond the hashing capacity delays other clients, not the server', async () => {
    const { refused, release } = await flood();
    expect(new Set(refused.map(({ headers }) => headers.get('retry-after')))).toEqual(new Set(['5']));
    expect((await stranger().get(SIGN_IN)).status).toBe(200);
    expect((await release()).filter((status) => status === 400)).toHaveLength(TAKEN_ON);
    const { email } = await settle(instance);
    expect((await stranger().post(SIGN_IN, { email, password: PASSWORD })).status).toBe(303);
  });

  test('beyond the hashing capacity does not refuse a known browser', async () => {
    const { email } = await settle(instance);
    const owner = stranger();
    await owner.post(SIGN_IN, { email, password: PASSWORD });
    const { release } = await flood();
    expect((await stranger().post(SIGN_IN, { email, password: PASSWORD })).status).toBe(429);
    const answer = owner.post(SIGN_IN, { email, password: PASSWORD });
    await release();
    expect((await answer).status).toBe(303);
  });

  const newLink = async (kind: 'welcome' | 'reset') => {
    const { store, clock } = instance.context;
    const { user } = await settle(instance);
    const { token } =
      kind === 'reset'
        ? await createResetLink({ store, clock }, user.id)
        : await createWelcomeLink({ store, clock }, instance.owner.teamId);
    return `/dashboard/${kind}/${token}`;
  };

  test.each(['welcome', 'reset'] as const)('a %s link takes ten new passwords an hour', async (kind) => {
    const { email } = await settle(instance);
    const [link, other] = [await newLink(kind), await newLink(kind)];
    const weak = { email, new_password: 'short' };
    for (let count = 0; count < 10; count++) expect((await stranger().post(link, weak)).status).toBe(400);
    const refused = await stranger().post(link, { email: 'new@example.com', new_password: PASSWORD });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^3\d{3}$/)]);
    expect((await stranger().post(other, weak)).status).toBe(400);
    expect((await stranger().post(SIGN_IN, { email, password: PASSWORD })).status).toBe(303);
  });

  test('one client may send thirty new passwords in ten minutes', async () => {
    const client = stranger();
    const weak = { email: 'a@example.com', new_password: 'short' };
    const statuses = [];
    for (const link of [await newLink('reset'), await newLink('welcome'), await newLink('welcome')]) {
      for (let count = 0; count < 10; count++) statuses.push((await client.post(link, weak)).status);
    }
    const last = await newLink('welcome');
    expect([...statuses, (await client.post(last, weak)).status]).toEqual([...Array(30).fill(400), 429]);
    expect((await stranger().post(last, weak)).status).toBe(400);
  });

  test('beyond the hashing capacity, links hash nothing', async () => {
    const links = [await newLink('welcome'), await newLink('reset')];
    const hash = spyOn(Bun.password, 'hash');
    const { release } = await flood();
    for (const link of links) {
      const answer = await stranger().post(link, { email: 'new@example.com', new_password: PASSWORD });
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '5']);
    }
    expect(hash).not.toHaveBeenCalled();
    await release();
  });

  test('counts the clients of an IPv6 /48 together', async () => {
    letPasswordsBeWrong();
    const statuses = [];
    for (let count = 0; count < 84; count++) {
      const sprayer = stranger({ 'X-Forwarded-For': `2001:db8:48:${count.toString(16)}::1` });
      statuses.push((await sprayer.post(SIGN_IN, { email: `s${count}@example.com`, password: 'wrong' })).status);
    }
    expect(statuses).toEqual([...Array(80).fill(400), ...Array(4).fill(429)]);
    const other = stranger({ 'X-Forwarded-For': '2001:db8:49::1' });
    expect((await other.post(SIGN_IN, { email: 's@example.com', password: 'wrong' })).status).toBe(400);
  });

  test('ignores X-Forwarded-For of untrusted proxies', async () => {
    const open = await startInstance();
    letPasswordsBeWrong();
    const statuses = [];
    for (let count = 0; count < 11; count++) {
      const liar = visitor(open, { 'X-Forwarded-For': `203.0.113.${count}` });
      statuses.push((await liar.post(SIGN_IN, { email: `a${count}@example.com`, password: 'wrong' })).status);
    }
    await open.stop();
    expect(statuses).toEqual([...Array(10).fill(400), 429]);
  });
});

describe('signing out', () => {
  test('ends the session on the server', async () => {
    const { browser } = await settle(instance);
    const stolen = visitor(instance, { Cookie: `formstead_session=${browser.cookies.get('formstead_session')}` });
    expect((await stolen.get('/dashboard/account')).status).toBe(200);
    const answer = await browser.post('/dashboard/sign-out');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/sign-in?done=out']);
    expect(answer.headers.getSetCookie()).toEqual([
      'formstead_session=; Path=/dashboard; HttpOnly; SameSite=Lax; Max-Age=0',
    ]);
    expect(answer.headers.get('clear-site-data')).toBe('"cache", "storage"');
    expect((await stolen.get('/dashboard/account')).status).toBe(303);
    expect(await (await browser.get('/dashboard/sign-in?done=out')).text()).toContain('You have been signed out.');
  });

  test('requires a post of our own page', async () => {
    const { browser } = await settle(instance);
    await browser.get('/dashboard/sign-out');
    await browser.post('/dashboard/sign-out', {}, { Origin: 'https://evil.example' });
    expect((await browser.get('/dashboard/account')).status).toBe(200);
  });
});

test('the page says what to do until the first account is created', async () => {
  const empty = await startInstance();
  const page = async (of: typeof empty) => (await visitor(of).get(SIGN_IN)).text();
  expect(await page(empty)).toContain('No account yet.');
  await settle(empty);
  expect(await page(empty)).not.toContain('No account yet.');
  await empty.stop();
});
