import { afterAll, describe, expect, test } from 'bun:test';
import { MAIL_SERVER_TEXTS } from '../../../src/dashboard/mail/texts.ts';
import { MAIL_PROVIDERS, otherPorts, toMailAccount } from '../../../src/domain/mail/mail-server.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { adoptKey, newResealProgress, resealAll } from '../../../src/services/instance/rotation.ts';
import { adviceText } from '../../../src/services/mail/test-mail.ts';
import { parseMasterKeys } from '../../../src/vault/key-ring.ts';
import { getKeyId } from '../../../src/vault/vault.ts';
import { queryDatabase, readTables } from '../../support/database-rows.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { startSmtp } from '../../support/smtp.ts';
import { until } from '../../support/until.ts';
import { PASSWORD, type SignedIn, signIn } from './signed-in.ts';
import { errorOn } from './visitor.ts';

const LOGIN = { user: 'forms', pass: 'tr0mbone-Zahl' };
const PATH = '/dashboard/mail/server';
const TEST = '/dashboard/mail/test';
const SAVED = '/dashboard/mail?done=serverSaved#test';
const t = MAIL_SERVER_TEXTS.en;

let now = Date.UTC(2026, 10, 21, 8) * 1000;
const smtp = await startSmtp({ login: LOGIN });
const stops = [smtp.stop];
afterAll(async () => {
  for (const stop of stops) await stop();
});

/** The fields of the form for the mail server of this file. */
const fields = (changes: Record<string, string> = {}) => ({
  host: '127.0.0.1',
  port: String(smtp.port),
  security: 'none',
  user: LOGIN.user,
  password: LOGIN.pass,
  sender: 'Forms <forms@mail.example>',
  ...changes,
});

/** Starts an instance without SMTP_URL, with its first account. */
async function start(env: Record<string, string> = {}): Promise<{ instance: Instance; me: SignedIn }> {
  const instance = await startInstance({ env, clock: () => ++now });
  stops.push(instance.stop);
  return { instance, me: await signIn(instance, instance.owner) };
}

async function save(me: SignedIn, changes: Record<string, string> = {}) {
  const answer = await me.post(PATH, fields(changes));
  return answer.status === 303 ? answer.headers.get('location') : errorOn(answer);
}

/** Posts to the form of the instance's owner and sends what is due. Returns the mails to its recipient. */
async function mailsOf({ context, owner, makeForm, post }: Instance, to: string) {
  const form = await makeForm(owner, { notify: [to] });
  expect((await post(form.id, { message: 'Do you repair harps?' })).status).toBe(200);
  await context.mail.outbox.drain();
  return smtp.mails.filter((mail) => mail.to.includes(to));
}

test('a mail server that is saved sends the next mail, and is nowhere in the clear', async () => {
  const { instance, me } = await start();
  expect(await mailsOf(instance, 'before@shop.example')).toEqual([]);
  expect(await me.page('/dashboard/status')).toContain(`href="${PATH}"`);
  expect(await me.page('/dashboard/mail')).toContain(`href="${PATH}"`);
  expect(await save(me)).toBe(SAVED);
  const [mail] = await mailsOf(instance, 'after@shop.example');
  expect(mail).toMatchObject({ from: 'forms@mail.example', user: LOGIN.user });
  const page = await me.page(PATH);
  expect(page).toContain('value="127.0.0.1"');
  expect(page).not.toContain(LOGIN.pass);
  expect(JSON.stringify(await readTables(instance.dataDir))).not.toContain(LOGIN.pass);
  expect(instance.logs.join('\n')).not.toContain(LOGIN.pass);
  const entries = await instance.context.store.audit.listFrom(null, { since: 0, after: 0, limit: 100 });
  expect(entries.map(({ action }) => action)).toContain('mail_server.changed');
  expect(JSON.stringify(entries)).not.toContain('127.0.0.1');
  expect(await me.page('/dashboard/status')).toContain('forms@mail.example');
});

test('the settings are resealed by a rotation of the master key', async () => {
  const { instance, me } = await start();
  await save(me);
  const { context } = instance;
  const [key] = parseMasterKeys('ab'.repeat(32)) ?? [];
  if (!key) throw new Error('no key');
  const isResealed = async () => {
    await adoptKey(context, key);
    await resealAll(context, newResealProgress(), { rest: async () => {} });
    const sql = 'SELECT settings FROM mail_servers';
    const [row] = queryDatabase<{ settings: Uint8Array }>(instance.dataDir, sql);
    return row && getKeyId(row.settings) === key.id;
  };
  // The instance's job goes back to the configured key, and may do so before the records are resealed.
  await until(isResealed, 'the settings to be resealed');
  await context.mail.refresh();
  expect(context.mail.account?.url).toContain(LOGIN.pass);
  expect(await mailsOf(instance, 'rotated@shop.example')).toHaveLength(1);
});

test('only operators change it: the first account, and those that the command names', async () => {
  const { instance } = await start();
  const second = await signIn(instance, instance.owner);
  expect((await second.get(PATH)).status).toBe(403);
  expect((await second.post(PATH, fields())).status).toBe(403);
  expect(instance.context.mail.sender).toBeNull();
  expect(await second.page('/dashboard/mail')).not.toContain(PATH);
  await instance.context.store.users.setOperator(second.user.id, true);
  expect(await save(second)).toBe(SAVED);
});

test('wrong input is refused by name, keeps what was typed, and changes nothing', async () => {
  const { instance, me } = await start();
  const wrong: ReadonlyArray<readonly [Record<string, string>, keyof typeof t.faults]> = [
    [{ host: 'mail.example:25' }, 'host'],
    [{ host: 'fe80::1%eth0' }, 'host'],
    [{ host: 'smtp://mail.example' }, 'host'],
    [{ port: '0' }, 'port'],
    [{ port: '65536' }, 'port'],
    [{ port: '25x' }, 'port'],
    [{ security: '' }, 'security'],
    [{ host: 'mail.example' }, 'security'],
    [{ password: '' }, 'password'],
    [{ sender: 'nobody' }, 'sender'],
    [{ sender: 'a@b.example, c@d.example' }, 'sender'],
  ];
  for (const [changes, fault] of wrong) {
    const answer = await me.post(PATH, fields({ ...changes }));
    expect([changes, answer.status]).toEqual([changes, 400]);
    const markup = await answer.text();
    expect(markup).toContain(t.faults[fault].replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
    expect(markup).toContain(`value="${LOGIN.user}"`);
    expect(markup).not.toContain(LOGIN.pass);
  }
  expect(instance.context.mail.sender).toBeNull();
  expect((await me.post(PATH, fields(), { Origin: 'https://evil.example' })).status).toBe(403);
  expect(instance.context.mail.sender).toBeNull();
});

test('a private host must be allowed, also if it became private later', async () => {
  const { instance, me } = await start({ ALLOWED_PRIVATE_HOSTS: '10.1.1.1' });
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    expect([host, await save(me, { host })]).toEqual([host, t.notAllowed]);
  }
  for (const host of ['169.254.169.254', '0x7f.1', 'ip6-localhost']) {
    const location = await save(me, { host, security: 'tls' });
    expect([host, location === SAVED && instance.context.mail.account?.url.includes('127.0.0.1')]).toEqual([
      host,
      false,
    ]);
  }
  await instance.context.mail.change(
    toMailAccount(`smtp://127.0.0.1:${smtp.port}/?ignoreTLS=true`, 'forms@mail.example'),
  );
  expect(await mailsOf(instance, 'private@shop.example')).toEqual([]);
  const [mail] = await instance.context.store.mails.list({ state: 'retrying', limit: 1 });
  expect(mail?.recipient).toBe('private@shop.example');
});

test('an empty password keeps the saved one for the same user and host only', async () => {
  const { instance, me } = await start();
  await save(me);
  expect(await save(me, { password: '', sender: 'other@mail.example' })).toBe(SAVED);
  expect(await mailsOf(instance, 'kept@shop.example')).toMatchObject([{ from: 'other@mail.example' }]);
  expect(await save(me, { password: '', host: 'localhost' })).toBe(t.faults.password);
  expect(await save(me, { password: '', user: 'someone' })).toBe(t.faults.password);
  expect(await save(me, { password: '', user: '' })).toBe(SAVED);
  expect(instance.context.mail.account?.url).not.toContain('@');
});

test('after ten minutes a change asks for the own password in the same form, and renews the session', async () => {
  const { instance, me } = await start();
  now += 11 * MINUTE;
  expect(await me.page(PATH)).toContain('name="current_password"');
  const answer = await me.post(PATH, fields());
  expect(answer.status).toBe(400);
  const markup = await answer.text();
  expect(markup).toContain('name="current_password"');
  expect(markup).not.toContain(LOGIN.pass);
  expect(instance.context.mail.sender).toBeNull();
  const right = await me.post(PATH, fields({ current_password: PASSWORD }));
  expect([right.status, right.headers.get('set-cookie')?.slice(0, 18)]).toEqual([303, 'formstead_session=']);
  expect(instance.context.mail.sender).toBe('forms@mail.example');
});

test('an empty host removes it and stops mails', async () => {
  const { instance, me } = await start();
  await save(me);
  expect(await save(me, { host: ' ', password: '' })).toBe('/dashboard/mail?done=serverRemoved');
  expect(await mailsOf(instance, 'removed@shop.example')).toEqual([]);
  expect(queryDatabase(instance.dataDir, 'SELECT id FROM mail_servers')).toEqual([]);
});

test('the form for a provider is filled in with a port that clouds do not block', async () => {
  const { me } = await start();
  for (const { name, host, port } of MAIL_PROVIDERS) {
    const page = await me.page(`${PATH}?provider=${encodeURIComponent(name)}`);
    expect(page).toContain(`value="${host}"`);
    expect(page).toContain(`value="${port}"`);
    expect(['2525', '2587', '2465']).toContain(port);
  }
});

describe('the test mail of an operator', () => {
  const lineOf = (markup: string) => /<pre[^>]*>([\s\S]*?)<\/pre>/.exec(markup)?.[1] ?? '';

  test('sends a mail and shows the conversation without the password', async () => {
    const { me } = await start();
    await save(me);
    const answer = await me.post(TEST, { to: 'test@home.example' });
    expect(answer.status).toBe(200);
    const said = lineOf(await answer.text());
    expect(said).toMatch(
      /^S: 220 [\s\S]*C: EHLO [\s\S]*C: AUTH [\s\S]*S: 235 [\s\S]*C: MAIL FROM:&lt;forms@mail\.example/,
    );
    expect(said).not.toContain(LOGIN.pass);
    expect(said).not.toContain(Buffer.from(`\0${LOGIN.user}\0${LOGIN.pass}`).toString('base64'));
    expect(said).not.toContain('This is a test message');
    expect(smtp.mails.filter(({ to }) => to.includes('test@home.example'))).toHaveLength(1);
  });

  test('shows others the result without the conversation', async () => {
    const { instance, me } = await start();
    await save(me);
    const second = await signIn(instance, instance.owner);
    const sent = await second.post(TEST, { to: 'second@home.example' });
    expect(sent.headers.get('location')).toBe('/dashboard/mail?done=tested');
    smtp.onMoment(() => ({ code: 451, text: 'Later' }));
    const refused = await second.post(TEST, { to: 'second@home.example' });
    smtp.onMoment(() => undefined);
    expect([refused.status, lineOf(await refused.text())]).toEqual([400, '']);
  });

  test('shows where a wrong password fails, even if the server repeats it', async () => {
    const { instance, me } = await start();
    const wrong = 'wr0ng-Posaune';
    const echo = await startSmtp({ login: LOGIN });
    stops.push(echo.stop);
    echo.onMoment(({ stage }) => (stage === 'AUTH' ? { code: 535, text: `5.7.8 No ${wrong}` } : undefined));
    await save(me, { port: String(echo.port), password: wrong });
    const answer = await me.post(TEST, { to: 'test@home.example' });
    expect(answer.status).toBe(400);
    const markup = await answer.text();
    expect(lineOf(markup)).toContain('535 5.7.8 No ***');
    expect(markup).not.toContain(wrong);
    expect(markup).toContain('Check user and password');
    expect(instance.logs.join('\n')).not.toContain(wrong);
  });

  test('says why nothing answers', async () => {
    const { me } = await start();
    const gone = await startSmtp();
    await gone.stop();
    await save(me, { port: String(gone.port) });
    const answer = await me.post(TEST, { to: 'test@home.example' });
    expect([answer.status, await errorOn(answer)]).toEqual([400, expect.stringContaining('connection refused')]);
  });

  test('is limited to twenty an hour', async () => {
    const { me } = await start();
    await save(me);
    const codes: number[] = [];
    for (let n = 0; n < 21; n++) codes.push((await me.post(TEST, { to: 'nobody' })).status);
    expect(codes).toEqual([...Array.from({ length: 20 }, () => 400), 429]);
  });
});

test('with SMTP_URL the page shows it without its password, and changes nothing', async () => {
  const { instance, me } = await start({ SMTP_URL: smtp.url, MAIL_FROM: 'env@mail.example' });
  const page = await me.page(PATH);
  expect(page).toContain(t.fixed);
  expect(page).toContain('env@mail.example');
  expect(page).not.toContain('name="host"');
  expect(page).not.toContain(LOGIN.pass);
  expect((await me.post(PATH, fields())).status).toBe(409);
  expect((await me.post(PATH, fields({ host: '' }))).status).toBe(409);
  expect(await mailsOf(instance, 'fixed@shop.example')).toMatchObject([{ from: 'env@mail.example' }]);
  expect((await me.post(TEST, { to: 'test@home.example' })).status).toBe(200);
});

test('after a timeout at a port that clouds block, another one is suggested', () => {
  const suggested = (url: string) => otherPorts(new URL(url));
  expect(suggested('smtp://smtp.resend.com')).toEqual(['2465']);
  expect(suggested('smtp://email-smtp.us-east-1.amazonaws.com:25')).toEqual(['2587']);
  expect(suggested('smtps://mail.example')).toEqual(['2525', '2587', '2465']);
  expect(suggested('smtp://mail.example:2525')).toEqual([]);
  const failure = { outcome: 'failed', reason: 'Connection timeout (ETIMEDOUT, CONN)', isUnreachable: true } as const;
  expect(adviceText({ ...failure, otherPorts: ['2525'] }, 'en')).toContain('try port 2525');
  expect(adviceText(failure, 'en')).not.toContain('2525');
});
