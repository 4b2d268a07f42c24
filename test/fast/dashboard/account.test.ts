import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import PostalMime from 'postal-mime';
import { pruneJob } from '../../../src/jobs/upkeep.ts';
import { DAY, HOUR, MINUTE, systemClock } from '../../../src/lib/clock.ts';
import { newId } from '../../../src/lib/ids.ts';
import { createResetLink, createWelcomeLink } from '../../../src/services/users/accounts.ts';
import { startAtBaseUrl } from '../../support/free-port.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { type SmtpSink, startSmtp } from '../../support/smtp.ts';
import { tracesOf } from '../../support/traces.ts';
import { until } from '../../support/until.ts';
import { PASSWORD } from './signed-in.ts';
import { errorOn, settle, visitor } from './visitor.ts';

let ahead = 0;
const clock = () => systemClock() + ahead;

let smtp: SmtpSink;
let instance: Instance;
beforeAll(async () => {
  smtp = await startSmtp();
  const mail = { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' };
  instance = await startAtBaseUrl({ TRUSTED_PROXIES: '127.0.0.1', ...mail }, clock);
  // The tests below need an instance that has its first account.
  await settle(instance);
});
afterAll(async () => {
  await instance.stop();
  await smtp.stop();
});

let lastClient = 0;
/** A browser with a client address of its own; pages of `url` count as our own. */
const stranger = (headers: Record<string, string> = {}) =>
  visitor(instance, { 'X-Forwarded-For': `198.51.100.${++lastClient}`, ...headers });

const welcomePath = async (teamId = instance.owner.teamId) =>
  `/dashboard/welcome/${(await createWelcomeLink(instance.context, teamId)).token}`;
const resetPath = async (email: string) => {
  const user = await instance.context.store.users.findByEmail(email);
  return `/dashboard/reset/${(await createResetLink(instance.context, user?.id ?? '')).token}`;
};
const signsIn = async (email: string, password: string) =>
  (await stranger().post('/dashboard/sign-in', { email, password })).status === 303;
const usersNow = () => instance.context.store.users.list();
const NEW = 'an altogether new passphrase';

describe('an account', () => {
  test('is created once by a link, in its team, and signed in; opening the page does not use the link', async () => {
    const { teamId, form } = await instance.makeOwner();
    const path = await welcomePath(teamId);
    const browser = stranger();
    for (let count = 0; count < 3; count++) expect((await browser.get(path)).status).toBe(200);
    const fields = { email: 'Ada@Example.com ', new_password: PASSWORD, time_zone: 'Europe/Berlin' };
    const answer = await browser.post(path, fields);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/dashboard/forms/${form.id}/connect`]);
    const user = await instance.context.store.users.findByEmail('ada@example.com');
    expect(user).toMatchObject({ timeZone: 'Europe/Berlin', language: null });
    expect(user?.passwordHash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$');
    expect((await instance.context.store.users.listMemberships(user?.id ?? '')).map(({ team }) => team.id)).toEqual([
      teamId,
    ]);
    expect(await (await browser.get('/dashboard/account')).text()).toContain('ada@example.com');

    for (const again of [
      await stranger().get(path),
      await stranger().post(path, { ...fields, email: 'b@example.com' }),
    ]) {
      expect(again.status).toBe(404);
      expect(await again.text()).toContain('formstead user create');
    }
  });

  test('is created once if the link is used in parallel', async () => {
    const path = await welcomePath();
    const before = (await usersNow()).length;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        stranger().post(path, { email: `race${n}@example.com`, new_password: PASSWORD }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(7).fill(404)]);
    expect(await usersNow()).toHaveLength(before + 1);
  });

  test('is not created by an expired link, a reset link or an unknown link', async () => {
    const { email } = await settle(instance);
    const old = await welcomePath();
    const reset = (await resetPath(email)).replace('/reset/', '/welcome/');
    ahead = DAY;
    const late = await stranger().post(old, { email: 'late@example.com', new_password: PASSWORD });
    ahead = 0;
    const fields = { email: 'other@example.com', new_password: PASSWORD };
    const others = await Promise.all([reset, '/dashboard/welcome/x'].map((path) => stranger().post(path, fields)));
    expect([late, ...others].map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await stranger().get(reset.replace('/welcome/', '/reset/'))).status).toBe(200);
  });

  test('requires a valid address without an account; the link and the input except the password are kept', async () => {
    const { email } = await settle(instance);
    const path = await welcomePath();
    const browser = stranger();
    const says = async (address: string) => {
      const answer = await browser.post(path, { email: address, new_password: PASSWORD });
      const markup = await answer.text();
      expect(answer.status).toBe(400);
      expect(markup).toContain(`value="${Bun.escapeHTML(address)}"`);
      expect(markup).not.toContain(PASSWORD);
      return errorOn(new Response(markup));
    };
    expect(await says('"><script>alert(1)</script>')).toContain('Invalid email address');
    expect(await says(email.toUpperCase())).toContain('An account with this email address already exists');
    expect((await browser.post(path, { email: 'free@example.com', new_password: PASSWORD })).status).toBe(303);
  });

  test('fills in the address of its link', async () => {
    const markup = await (await stranger().get(`${await welcomePath()}?email=bob%40example.com`)).text();
    expect(markup).toContain('value="bob@example.com"');
  });

  test('invalidates links of earlier starts if it is the first', async () => {
    const empty = await startInstance();
    const links = await Promise.all([1, 2].map(() => createWelcomeLink(empty.context, empty.owner.teamId)));
    const [first, second] = links.map(({ token }) => `/dashboard/welcome/${token}`);
    const browser = visitor(empty);
    expect((await browser.post(first ?? '', { email: 'a@example.com', new_password: PASSWORD })).status).toBe(303);
    expect((await browser.get(second ?? '')).status).toBe(404);
    const { token } = await createWelcomeLink(empty.context, empty.owner.teamId);
    await settle(empty);
    expect((await browser.get(`/dashboard/welcome/${token}`)).status).toBe(200);
    await empty.stop();
  });
});

describe('a password', () => {
  const email = 'grace.hopper@navy.example';
  const errorOf = async (password: string) => {
    const answer = await stranger().post(await welcomePath(), { email, new_password: password });
    const error = await errorOn(answer);
    return /too short|too long|easy to guess/.exec(error)?.[0] ?? error;
  };

  test.each([
    ['', 'too short'],
    ['elevenchars', 'too short'],
    ['🦊'.repeat(11), 'too short'],
    ['x'.repeat(201), 'too long'],
    ['password1234', 'easy to guess'],
    ['Password1234', 'easy to guess'],
    ['!!password2026!!', 'easy to guess'],
    ['qwertyuiopasdfgh', 'easy to guess'],
    ['123456789012', 'easy to guess'],
    ['aaaaaaaaaaaa', 'easy to guess'],
    ['abcabcabcabc', 'easy to guess'],
    ['changemechangeme', 'easy to guess'],
    ['iloveyouforever', 'easy to guess'],
    ['grace.hopper@navy.example', 'easy to guess'],
    ['Grace.Hopper@Navy.example1', 'easy to guess'],
    ['gracehopper2026', 'easy to guess'],
    ['formstead123456', 'easy to guess'],
    ['FormsteadFormstead', 'easy to guess'],
    ['1q2w3e4r5t6y', 'easy to guess'],
    ['Mailcreated5240', 'easy to guess'],
    ['fyutkbyf2005', 'easy to guess'],
    ['000000000000', 'easy to guess'],
    ['zzzxxxcccvvv', 'easy to guess'],
  ])('cannot be %j', async (password, error) => {
    expect(await errorOf(password)).toBe(error);
    expect(await instance.context.store.users.findByEmail(email)).toBeNull();
  });

  test.each([
    'tausend blaue Kacheln',
    'correct horse battery staple',
    'kX9#mQ2$vL7!',
    'ёлки-палки и ещё',
    'x4'.padEnd(200, 'yz1 w'),
    '🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧',
  ])('can be %j', async (password) => {
    const address = `p${++lastClient}@example.com`;
    const answer = await stranger().post(await welcomePath(), { email: address, new_password: password });
    expect(answer.status).toBe(303);
    expect(await signsIn(address, password)).toBe(true);
    expect(await signsIn(address, `${password} `)).toBe(false);
  });
});

describe('a forgotten password', () => {
  const linkIn = (text = '') => new RegExp(`^${instance.url}(/dashboard/reset/[\\w-]{43})$`, 'm').exec(text)?.[1] ?? '';
  const ask = (email: string, headers: Record<string, string> = {}) =>
    stranger(headers).post('/dashboard/reset', { email });

  test('is reset by a mailed link, which ends all sessions and signs in', async () => {
    const { email, browser } = await settle(instance);
    const count = smtp.mails.length;
    const answer = await ask(email.toUpperCase());
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/reset?done=sent']);
    await smtp.arrived(count + 1);
    const mail = await PostalMime.parse(smtp.mails[count]?.raw ?? '');
    expect(mail).toMatchObject({ subject: 'Reset your Formstead password', to: [{ address: email }] });
    const path = linkIn(mail.text);
    expect(mail.html).toContain(`href="${instance.url}${path}"`);

    const finder = stranger();
    for (let looks = 0; looks < 3; looks++) {
      expect(await (await finder.get(path)).text()).toContain(`value="${email}" readonly`);
    }
    expect((await browser.get('/dashboard/account')).status).toBe(200);
    const set = await finder.post(path, { new_password: NEW });
    expect([set.status, set.headers.get('location')]).toEqual([303, '/dashboard/forms']);
    expect((await finder.get('/dashboard/account')).status).toBe(200);
    expect((await browser.get('/dashboard/account')).status).toBe(303);
    expect([await signsIn(email, PASSWORD), await signsIn(email, NEW)]).toEqual([false, true]);

    const log = instance.logs.join('');
    expect(log).not.toContain(path.slice(-43));
    expect(log).not.toContain(email);
    expect(await tracesOf(instance.dataDir, [Buffer.from(path.slice(-43))])).toEqual([]);
  });

  test('is reset once by a link, which invalidates earlier links', async () => {
    const { email } = await settle(instance);
    const [first, second] = [await resetPath(email), await resetPath(email)];
    const answers = await Promise.all([1, 2, 3, 4].map((n) => stranger().post(first, { new_password: `${NEW} ${n}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404, 404]);
    expect((await stranger().get(first)).status).toBe(404);
    expect((await stranger().post(second, { new_password: NEW })).status).toBe(404);
    expect(await signsIn(email, NEW)).toBe(false);
  });

  test('is not reset by an expired link, a welcome link or an unknown link', async () => {
    const { email } = await settle(instance);
    const old = await resetPath(email);
    ahead = HOUR - MINUTE;
    expect((await stranger().get(old)).status).toBe(200);
    ahead = HOUR;
    expect((await stranger().post(old, { new_password: NEW })).status).toBe(404);
    ahead = 0;
    const welcome = await welcomePath();
    expect((await stranger().post(welcome.replace('/welcome/', '/reset/'), { new_password: NEW })).status).toBe(404);
    expect((await stranger().get(welcome)).status).toBe(200);
    expect((await stranger().get('/dashboard/reset/x')).status).toBe(404);
    expect(await signsIn(email, PASSWORD)).toBe(true);
  });

  test('is not replaced by a weak password, and the link stays valid', async () => {
    const { email } = await settle(instance);
    const path = await resetPath(email);
    const answer = await stranger().post(path, { new_password: 'password1234' });
    expect([answer.status, await errorOn(answer)]).toEqual([400, expect.stringContaining('easy to guess')]);
    expect((await stranger().post(path, { new_password: NEW })).status).toBe(303);
  });

  test('gets the same response with and without an account, and a mail only with one', async () => {
    const { email } = await settle(instance);
    const count = smtp.mails.length;
    const describe = async (address: string) => {
      const answer = await ask(address);
      return [answer.status, [...answer.headers.entries()].filter(([name]) => name !== 'date'), await answer.text()];
    };
    expect(await describe('nobody@example.com')).toEqual(await describe(email));
    await smtp.arrived(count + 1);
    const { email: last } = await settle(instance);
    await ask(last);
    await smtp.arrived(count + 2);
    expect(smtp.mails.slice(count).map(({ to }) => to)).toEqual([[email], [last]]);
  });

  test('gets a response before the account is looked up, even if the mail server hangs', async () => {
    const { email } = await settle(instance);
    const [count, seen] = [smtp.mails.length, smtp.seen.get('MAIL') ?? 0];
    const held = Promise.withResolvers<undefined>();
    smtp.onMoment(() => held.promise);
    expect((await ask(email)).status).toBe(303);
    await smtp.reached('MAIL', seen + 1);
    expect(smtp.mails).toHaveLength(count);
    smtp.onMoment(() => undefined);
    held.resolve(undefined);
    await smtp.arrived(count + 1);
  });

  test('gets at most three mails an hour, which the response does not reveal', async () => {
    const { email } = await settle(instance);
    const count = smtp.mails.length;
    const answers = [];
    for (let asked = 0; asked < 6; asked++) answers.push(await ask(email));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    const { email: last } = await settle(instance);
    await ask(last);
    await until(() => smtp.mails.some(({ to }) => to.includes(last)), 'the mail that was asked for last');
    await smtp.arrived(count + 4);
    expect(smtp.mails.slice(count).filter(({ to }) => to.includes(email))).toHaveLength(3);
  });

  test('can be requested ten times in ten minutes by one client', async () => {
    const asker = stranger();
    const statuses = [];
    for (let asked = 0; asked < 11; asked++) {
      statuses.push((await asker.post('/dashboard/reset', { email: `n${asked}@example.com` })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(303), 429]);
  });

  test("gets a mail in the user's language, with a link below BASE_URL", async () => {
    const { email, browser } = await settle(instance);
    await browser.post('/dashboard/account/preferences', { language: 'de', time_zone: 'UTC' });
    const count = smtp.mails.length;
    const forged = { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http', Forwarded: 'host=evil.example' };
    const host = { Host: 'evil.example', Origin: 'http://evil.example' };
    expect((await ask(email, { ...forged, ...host, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(303);
    await smtp.arrived(count + 1);
    const raw = smtp.mails[count]?.raw.toString() ?? '';
    const mail = await PostalMime.parse(raw);
    expect(mail.subject).toBe('Ihr Formstead-Passwort zurücksetzen');
    expect(linkIn(mail.text)).not.toBe('');
    expect(raw).not.toContain('evil');
  });

  test.each([
    ['no mail server is set', {}, true],
    ['BASE_URL is not set', { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'forms@mail.example' }, false],
  ])('shows the command if %s', async (_, env, hasBase) => {
    const bare = await (hasBase ? startAtBaseUrl(env) : startInstance({ env }));
    const browser = visitor(bare);
    const { email } = await settle(bare);
    for (const answer of [await browser.get('/dashboard/reset'), await browser.post('/dashboard/reset', { email })]) {
      const markup = await answer.text();
      expect(markup).toContain('formstead user reset --email');
      expect(markup).not.toContain('<form method="post" action="/dashboard/reset"');
    }
    await bare.stop();
  });
});

describe('the account page', () => {
  test('sets language and time zone', async () => {
    const { browser } = await settle(instance);
    const answer = await browser.post('/dashboard/account/preferences', { language: 'de', time_zone: 'Asia/Tokyo' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/account?done=saved']);
    const german = await (await browser.get('/dashboard/account?done=saved')).text();
    expect(german).toContain('<html lang="de">');
    expect(german).toContain('<p class="done" role="status">Einstellungen gespeichert.</p>');
    expect(german).toContain('<option value="de" selected="">Deutsch</option>');
    expect(german).toContain('<option value="Asia/Tokyo" selected="">Asia/Tokyo</option>');
    await browser.post('/dashboard/account/preferences', { language: 'xx', time_zone: 'Mars/Olympus' });
    const asked = await (await browser.get('/dashboard/account', { 'Accept-Language': 'en' })).text();
    expect(asked).toContain('<html lang="en">');
    expect(asked).toContain('<option value="Asia/Tokyo" selected="">');
  });

  test('ignores unknown flash messages', async () => {
    const { browser } = await settle(instance);
    for (const word of ['constructor', 'toString', '<b>', '']) {
      const markup = await (await browser.get(`/dashboard/account?done=${encodeURIComponent(word)}`)).text();
      expect(markup).not.toContain('class="done"');
    }
  });

  test('is smaller than 50 KB compressed, including style and script', async () => {
    const { browser } = await settle(instance);
    const markup = await (await browser.get('/dashboard/account')).text();
    const assets = Array.from(markup.matchAll(/(?:href|src)="(\/dashboard\/assets\/[^"]+)"/g), ([, path = '']) => path);
    const texts = await Promise.all(assets.map(async (path) => (await browser.get(path)).text()));
    const sizes = [markup, ...texts].map((text) => Bun.gzipSync(text).length);
    expect(sizes).toHaveLength(3);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(50_000);
  });

  test('changes the password after the current one, and ends all other sessions', async () => {
    const { email, browser } = await settle(instance);
    const other = stranger();
    await other.post('/dashboard/sign-in', { email, password: PASSWORD });
    const change = (password: string, newPassword: string) =>
      browser.post('/dashboard/account/password', { password, new_password: newPassword });
    const wrong = await change('not the present one', NEW);
    expect([wrong.status, await errorOn(wrong)]).toEqual([400, 'Wrong password. Enter your current password.']);
    const common = await change(PASSWORD, 'password1234');
    expect([common.status, await errorOn(common)]).toEqual([400, expect.stringContaining('easy to guess')]);
    expect((await other.get('/dashboard/account')).status).toBe(200);
    const before = stranger({ Cookie: `formstead_session=${browser.cookies.get('formstead_session')}` });
    expect((await before.get('/dashboard/account')).status).toBe(200);
    const done = await change(PASSWORD, NEW);
    expect(done.headers.getSetCookie()).toEqual([expect.stringMatching(/^formstead_session=[\w-]{43}; /)]);
    expect((await before.get('/dashboard/account')).status).toBe(303);
    expect([done.status, done.headers.get('location')]).toEqual([303, '/dashboard/account?done=password']);
    expect((await browser.get('/dashboard/account')).status).toBe(200);
    expect((await other.get('/dashboard/account')).status).toBe(303);
    expect([await signsIn(email, PASSWORD), await signsIn(email, NEW)]).toEqual([false, true]);
  });

  test('invalidates reset links when the password changes', async () => {
    const { email, browser } = await settle(instance);
    const path = await resetPath(email);
    await browser.post('/dashboard/account/password', { password: PASSWORD, new_password: NEW });
    expect((await stranger().get(path)).status).toBe(404);
    expect((await stranger().post(path, { new_password: `${NEW} again` })).status).toBe(404);
    expect(await signsIn(email, NEW)).toBe(true);
  });

  test('limits password guesses with a stolen session', async () => {
    const { email, browser } = await settle(instance);
    const statuses = [];
    for (let count = 0; count < 11; count++) {
      const fields = { password: `guess ${count}`, new_password: NEW };
      statuses.push((await browser.post('/dashboard/account/password', fields)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429]);
    const right = await browser.post('/dashboard/account/password', { password: PASSWORD, new_password: NEW });
    expect(right.status).toBe(429);
    expect(await signsIn(email, PASSWORD)).toBe(true);
  });
});

describe('an account deleted by its user', () => {
  test('is deleted with its sessions after the password; the audit log keeps its address', async () => {
    const { teamId } = await instance.makeOwner();
    await settle(instance, { teamId });
    const { email, browser } = await settle(instance, { teamId });
    const elsewhere = stranger();
    await elsewhere.post('/dashboard/sign-in', { email, password: PASSWORD });
    const user = await instance.context.store.users.findByEmail(email);
    expect(await (await browser.get('/dashboard/account')).text()).toContain('href="/dashboard/account/delete"');
    const page = await (await browser.get('/dashboard/account/delete')).text();
    expect(page).toContain(email);

    const wrong = await browser.post('/dashboard/account/delete', { password: 'not that one at all' });
    expect([wrong.status, await errorOn(wrong)]).toEqual([400, 'Wrong password. Enter your current password.']);
    expect((await elsewhere.get('/dashboard/account')).status).toBe(200);

    const answer = await browser.post('/dashboard/account/delete', { password: PASSWORD });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/sign-in?done=deleted']);
    expect(browser.cookies.has('formstead_session')).toBe(false);
    expect(await (await browser.get('/dashboard/sign-in?done=deleted')).text()).toContain('Account deleted.');
    expect((await elsewhere.get('/dashboard/account')).status).toBe(303);
    expect(await signsIn(email, PASSWORD)).toBe(false);
    const latest = { before: null, limit: 1, actorId: null, action: 'account.deleted' as const };
    const [entry] = await instance.context.store.audit.list(teamId, latest);
    expect(entry?.actor).toMatchObject({ kind: 'user', id: user?.id, name: email });
  });

  test('can be one without a team, which has access to its account pages only', async () => {
    const { teamId } = await instance.makeOwner();
    await settle(instance, { teamId });
    const { email, browser } = await settle(instance, { teamId });
    const { store } = instance.context;
    const id = (await store.users.findByEmail(email))?.id ?? '';
    await store.members.remove(teamId, id);
    for (const path of ['/dashboard', '/dashboard/forms', '/dashboard/team', '/dashboard/team/leave']) {
      const answer = await browser.get(path);
      expect([path, answer.status]).toEqual([path, 403]);
      expect(await answer.text()).toContain('href="/dashboard/account"');
    }
    const page = await (await browser.get('/dashboard/account')).text();
    const ways = /<header.*?<\/header>/s.exec(page)?.[0] ?? '';
    expect(ways.match(/href="[^"]+"/g)).toEqual(['href="/dashboard"', 'href="/dashboard/account"', 'href="/docs"']);
    for (const path of ['second-factor', 'sessions/end', 'delete']) {
      expect((await browser.get(`/dashboard/account/${path}`)).status).toBe(200);
    }
    expect((await browser.post('/dashboard/account/preferences', { language: 'de' })).status).toBe(303);
    expect((await browser.post('/dashboard/keys', { name: 'Mine', scope: 'read' })).status).toBe(403);
    const answer = await browser.post('/dashboard/account/delete', { password: PASSWORD });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/sign-in?done=deleted']);
    expect(await store.users.find(id)).toBeNull();
  });

  test('is kept if a team would lose its last owner, and the page names the team', async () => {
    const { teamId } = await instance.makeOwner();
    const { email, browser } = await settle(instance, { teamId });
    const answer = await browser.post('/dashboard/account/delete', { password: PASSWORD });
    expect([answer.status, await errorOn(answer)]).toEqual([
      409,
      'Account not deleted: you are the only owner of “Team”. Make someone else an owner under “Team” first.',
    ]);
    expect((await browser.get('/dashboard/account')).status).toBe(200);
    expect(await signsIn(email, PASSWORD)).toBe(true);
  });

  test('is protected by a limit on password guesses', async () => {
    const { browser } = await settle(instance, await instance.makeOwner());
    const statuses = [];
    for (let tried = 0; tried < 12; tried++) {
      statuses.push((await browser.post('/dashboard/account/delete', { password: `wrong one ${tried}` })).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect((await browser.post('/dashboard/account/delete', { password: PASSWORD })).status).toBe(429);
  });
});

describe('the list of sessions', () => {
  const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';
  const endsIn = (markup: string) =>
    Array.from(
      markup.matchAll(/(?:action|href)="(\/dashboard\/account\/sessions\/ses_\w+\/end)"/g),
      ([, path = '']) => path,
    );

  test('shows address and browser of each session, and the current one', async () => {
    const { email } = await settle(instance);
    const others = [
      ['203.0.113.77', FIREFOX],
      [
        '2001:db8:1:2:3::4',
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',
      ],
      ['192.0.2.1', '<script>alert(1)</script>'],
    ];
    for (const [address = '', agent = ''] of others) {
      const browser = stranger({ 'X-Forwarded-For': address, 'User-Agent': agent });
      await browser.post('/dashboard/sign-in', { email, password: PASSWORD });
    }
    const browser = stranger({ 'User-Agent': FIREFOX });
    await browser.post('/dashboard/sign-in', { email, password: PASSWORD });
    const markup = await (await browser.get('/dashboard/account')).text();
    expect(endsIn(markup)).toHaveLength(5);
    for (const text of [
      '203.0.113.x',
      '2001:db8:1:…',
      '192.0.2.x',
      'Firefox on Linux',
      'Safari on iPhone',
      'Unknown browser',
    ]) {
      expect(markup).toContain(text);
    }
    expect(markup).not.toContain('203.0.113.77');
    expect(markup).not.toContain('alert(1)');
    expect(markup.match(/Current session/g)).toHaveLength(1);
    const german = await (await browser.get('/dashboard/account', { 'Accept-Language': 'de' })).text();
    expect(german).toContain('Firefox unter Linux');
  });

  test('shows at most a hundred', async () => {
    const { email, browser } = await settle(instance);
    const user = await instance.context.store.users.findByEmail(email);
    const times = { createdAt: 1, lastUsedAt: clock() - DAY, expiresAt: clock() + DAY };
    for (let n = 0; n < 120; n++) {
      const session = {
        id: newId('ses'),
        teamId: null,
        isPending: false,
        method: 'password' as const,
        isMultiFactor: false,
        passwordAt: 0,
        userId: user?.id ?? '',
        address: '',
        browser: '',
        ...times,
      };
      await instance.context.store.sessions.create(session.id, session);
    }
    const markup = await (await browser.get('/dashboard/account')).text();
    expect(endsIn(markup)).toHaveLength(100);
    expect(markup).toContain('Current session');
  });

  test('ends another session, or the current one', async () => {
    const { email, browser } = await settle(instance);
    const other = stranger();
    await other.post('/dashboard/sign-in', { email, password: PASSWORD });
    const sessions = async () => endsIn(await (await browser.get('/dashboard/account')).text());
    expect(await sessions()).toHaveLength(2);
    const user = await instance.context.store.users.findByEmail(email);
    const all = await instance.context.store.sessions.list(user?.id ?? '', 10);
    const newest = all.reduce((one, next) => (next.createdAt > one.createdAt ? next : one));
    const path = `/dashboard/account/sessions/${newest.id}/end`;
    expect(await (await browser.get(path)).text()).toContain('Enter your password to confirm.');
    for (const password of ['', 'not that one at all']) {
      const wrong = await browser.post(path, { password });
      expect([wrong.status, await errorOn(wrong)]).toEqual([400, 'Wrong password. Enter your current password.']);
    }
    expect((await other.get('/dashboard/account')).status).toBe(200);
    const before = browser.cookies.get('formstead_session');
    const ended = await browser.post(path, { password: PASSWORD });
    expect([ended.status, ended.headers.get('location')]).toEqual([303, '/dashboard/account?done=ended']);
    expect(browser.cookies.get('formstead_session')).not.toBe(before);
    expect((await other.get('/dashboard/account')).status).toBe(303);
    const [last = ''] = await sessions();
    const out = await browser.post(last);
    expect([out.status, out.headers.get('location')]).toEqual([303, '/dashboard/sign-in?done=out']);
    expect((await browser.get('/dashboard/account')).status).toBe(303);
  });

  test('ends all sessions of the user only', async () => {
    const { email, browser } = await settle(instance);
    const neighbour = await settle(instance);
    const other = stranger();
    await other.post('/dashboard/sign-in', { email, password: PASSWORD });
    expect((await browser.get('/dashboard/account/sessions/end')).status).toBe(200);
    const wrong = await browser.post('/dashboard/account/sessions/end', { password: 'not that one at all' });
    expect([wrong.status, (await other.get('/dashboard/account')).status]).toEqual([400, 200]);
    const answer = await browser.post('/dashboard/account/sessions/end', { password: PASSWORD });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/sign-in?done=everywhere']);
    const left = await Promise.all([browser, other, neighbour.browser].map((each) => each.get('/dashboard/account')));
    expect(left.map(({ status }) => status)).toEqual([303, 303, 200]);
  });

  test('does not contain sessions of other users', async () => {
    const [me, colleague] = [await settle(instance), await settle(instance)];
    const foreigner = await settle(instance, await instance.makeOwner());
    for (const { email, browser } of [colleague, foreigner]) {
      const user = await instance.context.store.users.findByEmail(email);
      const [session] = await instance.context.store.sessions.list(user?.id ?? '', 1);
      const path = `/dashboard/account/sessions/${session?.id}/end`;
      expect((await me.browser.get(path)).status).toBe(404);
      expect((await me.browser.post(path, { password: PASSWORD })).status).toBe(404);
      expect((await browser.get('/dashboard/account')).status).toBe(200);
    }
  });

  test('drops sessions unused for a week', async () => {
    const { browser } = await settle(instance);
    const statusAfter = async (days: number) => {
      ahead = days * DAY;
      const { status } = await browser.get('/dashboard/account');
      await instance.context.sessionUse.flush();
      return status;
    };
    expect([await statusAfter(6), await statusAfter(12), await statusAfter(19)]).toEqual([200, 200, 303]);
    ahead = 0;
  });

  test('drops expired sessions, and so does the prune job', async () => {
    const { email, browser } = await settle(instance);
    const link = await resetPath(email);
    ahead = 30 * DAY;
    expect((await browser.get('/dashboard/account')).status).toBe(303);
    await pruneJob({ ...instance.context, clock }).step(new AbortController().signal);
    ahead = 0;
    expect((await browser.get('/dashboard/account')).status).toBe(303);
    expect((await stranger().get(link)).status).toBe(404);
  });
});

test('all account pages and actions redirect to the sign-in without a session', async () => {
  const browser = stranger();
  expect((await browser.get('/dashboard/account')).headers.get('location')).toBe(
    '/dashboard/sign-in?to=%2Fdashboard%2Faccount',
  );
  for (const action of ['preferences', 'password', 'delete', 'sessions/end', 'sessions/ses_1/end']) {
    const answer = await browser.post(`/dashboard/account/${action}`);
    expect([action, answer.headers.get('location')]).toEqual([action, '/dashboard/sign-in']);
  }
});
