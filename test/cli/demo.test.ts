import { afterEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Demo, startDemo } from '../../src/demo/demo.ts';
import { FROM_SOURCE } from '../support/process.ts';
import { limit } from '../support/speed.ts';
import { until } from '../support/until.ts';

limit(60);

/** A demo takes longer to fill than a condition may take by default. */
const START_MS = 50_000;

let running: Demo | undefined;

afterEach(() => running?.stop());

async function start(isPublic: boolean, env: Record<string, string> = {}): Promise<Demo> {
  running = await startDemo({ env: { PORT: '0', ...env }, isPublic, writeLog: () => {} });
  return running;
}

const BROWSER = { Accept: 'text/html' };

/** Opens the link and returns a function that asks for pages with the session that it gave. */
async function signIn({ url, link }: Demo) {
  const { headers, status } = await fetch(link, { redirect: 'manual', headers: BROWSER });
  expect(status).toBe(303);
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
  return (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, url), {
      redirect: 'manual',
      ...init,
      headers: { ...BROWSER, Cookie: cookie, ...init.headers },
    });
}

describe('formstead demo', () => {
  test('runs as a command whose link signs in, and leaves nothing behind', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'demo-test-'));
    const child = Bun.spawn([...FROM_SOURCE.command, 'demo', '--json'], {
      env: { PATH: Bun.env.PATH ?? '', PORT: '0', TMPDIR: folder, SMTP_URL: 'smtp://mail.example', DATABASE_URL: 'x' },
      stdout: 'pipe',
      stderr: 'pipe',
    });
    let printed = '';
    const reading = (async () => {
      for await (const chunk of child.stdout) printed += Buffer.from(chunk).toString();
    })();
    await until(() => printed.trimEnd().endsWith('}'), 'the demo is ready', START_MS);
    const demo: Demo = JSON.parse(printed);
    expect(readdirSync(folder)).toHaveLength(1);
    const get = await signIn(demo);
    const inbox = await get('/dashboard/inbox');
    expect([inbox.status, demo.submissions >= 300]).toEqual([200, true]);
    child.kill('SIGINT');
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, '']);
    await reading;
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  test('has believable work in each place', async () => {
    const demo = await start(false);
    const get = await signIn(demo);
    const page = async (path: string) => (await get(path)).text();
    const forms = await page('/dashboard/forms');
    for (const name of ['Contact', 'Newsletter', 'Feedback', 'Class registration', 'Trade inquiry']) {
      expect(forms).toContain(name);
    }
    expect(await page('/dashboard/team')).toContain('mina@harborlane.example');
    const days = (await page('/dashboard/inbox')).matchAll(/datetime="(\d{4}-\d\d-\d\d)/g);
    expect(new Set(days.map(([, day]) => day)).size).toBeGreaterThan(2);
    const firstMail = async () =>
      /href="(\/dashboard\/demo\/mails\/\d+)"/.exec(await page('/dashboard/demo/mails'))?.[1] ?? '';
    await until(async () => (await firstMail()) !== '', 'the first mail is sent');
    const row =
      /<li class="mail">(?:(?!<li).)*<time datetime="[^"]+"(?:(?!<li).)* via Contact · to robin@harborlane\.example/s;
    await until(async () => row.test(await page('/dashboard/demo/mails')), 'a mail has its sender and time');
    const mail = await firstMail();
    expect(await page(mail)).toContain(`${mail}/frame`);
    const frame = await get(`${mail}/frame`);
    expect(frame.headers.get('content-security-policy')).toStartWith('sandbox;');
    expect(await frame.text()).toContain('<html');
    const [, id = ''] = /dashboard\/forms\/(frm_\w+)[^>]*>[^<]*Class registration/.exec(forms) ?? [];
    const webhooks = await page(`/dashboard/forms/${id}/webhooks`);
    const [, webhook = ''] = /href="(\/dashboard\/forms\/\w+\/webhooks\/whk_\w+)"/.exec(webhooks) ?? [];
    await until(async () => (await page(webhook)).includes('204'), 'the webhook is delivered');
    expect(await page('/dashboard/spam')).toMatch(/\d/);
  });

  test('takes posts, sends their mails to its own page, and refuses a wrong token', async () => {
    const demo = await start(false);
    const get = await signIn(demo);
    const hosted = await (await get('/dashboard/forms')).text();
    const [, id = ''] = /dashboard\/forms\/(frm_\w+)[^>]*>[^<]*Contact/.exec(hosted) ?? [];
    const sent = { name: 'Ada Byron', email: 'ada@example.com', message: 'Do you have a kiln for porcelain?' };
    const posted = await fetch(`${demo.url}/v1/forms/${id}/submissions`, {
      method: 'POST',
      body: new URLSearchParams(sent),
    });
    expect(posted.status).toBe(200);
    const newestMail = async () => {
      const [newest = ''] =
        /\/dashboard\/demo\/mails\/\d+/.exec(await (await get('/dashboard/demo/mails')).text()) ?? [];
      return (await get(`${newest}/frame`)).text();
    };
    await until(async () => (await newestMail()).includes('Ada Byron'), 'the mail is kept');
    const wrong = await fetch(`${demo.url}/dashboard/demo?token=wrong`, { redirect: 'manual', headers: BROWSER });
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([404, null]);
    const without = await fetch(`${demo.url}/dashboard/inbox`, { redirect: 'manual', headers: BROWSER });
    expect(without.headers.get('location')).toContain('sign-in');
  });

  test('refuses a port in use and removes its folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'demo-test-'));
    using other = Bun.serve({ port: 0, fetch: () => new Response() });
    const child = Bun.spawn([...FROM_SOURCE.command, 'demo'], {
      env: { PATH: Bun.env.PATH ?? '', PORT: String(other.port), TMPDIR: folder },
      stderr: 'pipe',
    });
    expect(await child.exited).toBe(1);
    expect(await new Response(child.stderr).text()).toContain(`Could not listen on 127.0.0.1 port ${other.port}`);
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});

describe('formstead demo --public', () => {
  test('lets anyone look, and changes nothing', async () => {
    const demo = await start(true);
    const first = await fetch(`${demo.url}/`, { redirect: 'manual', headers: BROWSER });
    expect(first.headers.get('location')).toBe('/dashboard/demo');
    const get = await signIn(demo);
    const inbox = await (await get('/dashboard/inbox')).text();
    expect(inbox).toContain('nothing can be changed');
    const [, id = ''] = /submissions\/(sub_\w+)/.exec(inbox) ?? [];
    const action = await get(`/dashboard/submissions/${id}/spam`, {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ name: 'x' }),
    });
    expect([action.status, (await action.text()).includes('Nothing can be changed in this demo')]).toEqual([403, true]);
    const forms = await (await get('/dashboard/forms')).text();
    const [, form = ''] = /dashboard\/forms\/(frm_\w+)/.exec(forms) ?? [];
    const posted = await fetch(`${demo.url}/v1/forms/${form}/submissions`, {
      method: 'POST',
      body: new URLSearchParams({ message: 'Hello' }),
    });
    expect([posted.status, await posted.json()]).toMatchObject([403, { success: false, statusCode: 403 }]);
    expect((await (await get('/dashboard/inbox')).text()).includes('Hello')).toBe(false);
  });

  test('starts anew at the same address, for visitors who are signed in', async () => {
    const demo = await start(true);
    const get = await signIn(demo);
    const idsOf = async () => {
      const inbox = await get('/dashboard/inbox');
      expect(inbox.status).toBe(200);
      return new Set((await inbox.text()).match(/sub_\w+/g));
    };
    const before = await idsOf();
    await demo.reset();
    const after = await idsOf();
    expect(after.size).toBe(before.size);
    expect(before.intersection(after).size).toBe(0);
  });

  test('slows one client down, and no other', async () => {
    const demo = await start(true, { TRUSTED_PROXIES: '127.0.0.1' });
    const visit = (address: string) => fetch(`${demo.url}/docs`, { headers: { 'X-Forwarded-For': address } });
    const answers = await Promise.all(Array.from({ length: 301 }, async () => (await visit('192.0.2.1')).status));
    expect(answers.filter((status) => status === 429)).toHaveLength(1);
    expect((await visit('192.0.2.2')).status).toBe(200);
  });
});
