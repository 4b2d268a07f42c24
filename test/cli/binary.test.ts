import { afterAll, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newestBackup } from '../../src/services/backups/backups.ts';
import { binaryOfSource } from '../support/binary.ts';
import { temporaryDir } from '../support/instance.ts';
import { FROM_SOURCE, formstead, type Program, type ServerProcess, spawnServer } from '../support/process.ts';
import { startSmtp } from '../support/smtp.ts';
import { until } from '../support/until.ts';
import { json, post, type Resource, read, storedNames } from './command-line.ts';

const folder = temporaryDir();
const dataDir = join(folder, 'data');
/** The working directory of the binary: its files would break the program if they were read. */
const hostile = join(folder, 'hostile');
const preloaded = join(folder, 'preloaded');
const smtp = await startSmtp();
const mailing = { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' };

mkdirSync(hostile);
writeFileSync(join(hostile, 'bunfig.toml'), 'preload = ["./preload.ts"]\n');
writeFileSync(join(hostile, 'preload.ts'), `require('node:fs').writeFileSync(${JSON.stringify(preloaded)}, '')\n`);
for (const name of ['.env', '.env.local', '.env.production', '.env.development'])
  writeFileSync(join(hostile, name), 'PLANS=none\nENCRYPTION_KEY=short\n');

// Copied elsewhere, so that the binary cannot find missing parts in the repository.
cpSync(await binaryOfSource(), join(folder, 'formstead'));
const binary: Program = { command: [join(folder, 'formstead')], cwd: hostile };
const start = (env: Record<string, string> = {}) => spawnServer(dataDir, { ...mailing, ...env }, binary);

let server: ServerProcess = await start();
afterAll(async () => {
  await server.end();
  await smtp.stop();
  rmSync(folder, { recursive: true });
});

const runner: typeof formstead = (dir, args, env) => formstead(dir, args, env, binary);
const command = <T = Resource>(...args: string[]) => json<T>(dataDir, args, {}, runner);

const [team] = await command<Resource[]>('team', 'list');
const [form] = await command<Resource[]>('form', 'list', '--team', team?.id ?? '');
if (!team || !form) throw new Error('there is no form');
const key = await command('key', 'create', '--team', team.id, '--name', 'CI');

test('a start from source fails in this working directory', async () => {
  const outcome = await formstead(join(folder, 'other'), ['team', 'list'], {}, { ...FROM_SOURCE, cwd: hostile });
  expect(outcome).toMatchObject({ code: 78, stderr: expect.stringContaining('PLANS must be JSON') });
  expect(existsSync(preloaded)).toBe(true);
  rmSync(preloaded);
});

test('a post is accepted, readable through the API and sent by mail', async () => {
  await command('form', 'update', form.id, '--notify', 'owner@x.example');
  expect((await post(server.url, form.short_id, 'Ada')).status).toBe(200);
  expect(await storedNames(server.url, form, key.secret)).toEqual(['Ada']);
  await smtp.arrived(1);
  expect(smtp.mails[0]?.raw.toString()).toContain('Ada');
});

test('spam is recognized by the embedded weights', async () => {
  const { id } = await command('form', 'create', '--workspace', String(form.workspace_id), '--name', 'Offers');
  const offer =
    'We guarantee your website the first page of Google in 30 days, high quality SEO backlinks from only $99 per month.';
  expect((await post(server.url, id, offer)).status).toBe(200);
  const flagged = await command<Resource[]>('submission', 'list', '--form', id, '--spam');
  expect(JSON.stringify(flagged)).toContain('wording typical of spam');
});

describe('the welcome link', () => {
  const link = /^ {2}(http\S+\/dashboard\/welcome\/[\w-]{43})$/m.exec(server.stderr())?.[1] ?? '';
  let cookie = '';
  const page = async (path: string) => {
    const answer = await fetch(server.url + path, { headers: { Cookie: cookie, Accept: 'text/html' } });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text();
  };

  test('creates an account, and refuses a common password', async () => {
    const choose = (password: string) =>
      fetch(link, {
        method: 'POST',
        redirect: 'manual',
        headers: { Origin: server.url },
        body: new URLSearchParams({ email: 'ada@example.com', new_password: password }),
      });
    expect((await choose('passwordpassword')).status).toBe(400);
    const made = await choose('correct horse battery');
    expect(made.status).toBe(303);
    cookie = (made.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  });

  test('leads to a dashboard with its style sheet and script', async () => {
    const inbox = await page(`/dashboard/forms/${form.id}/submissions`);
    const assets = Array.from(inbox.matchAll(/(?:href|src)="(\/dashboard\/assets\/[^"]+)"/g), ([, path]) => path ?? '');
    expect(assets.map((path) => path.split('.').pop()).sort()).toEqual(['css', 'css', 'js', 'js']);
    for (const path of assets) expect((await page(path)).length).toBeGreaterThan(1000);
    expect(inbox).toContain('Ada');
  });

  test('leads to pages whose code is loaded on demand', async () => {
    expect(await page('/dashboard/account/second-factor')).toContain('<svg');
    expect(await page(`/dashboard/forms/${form.id}/export.csv`)).toContain('Ada');
    expect(await page(`/dashboard/forms/${form.id}/export.zip`)).toStartWith('PK');
  });
});

test.each(['/docs', '/docs/api', '/docs/spam', '/openapi.json', '/formstead.js', '/altcha.js', '/healthz'])(
  '%s is inside',
  async (path) => {
    const answer = await fetch(server.url + path);
    expect([answer.status, (await answer.text()).length > 10]).toEqual([200, true]);
  },
);

test('SIGTERM ends it with exit code 0, and the next start has all accepted submissions', async () => {
  expect(await server.end()).toBe(0);
  server = await start();
  expect(server.stderr()).toBe('');
  expect((await post(server.url, form.id, 'Bob')).status).toBe(200);
  expect(await storedNames(server.url, form, key.secret)).toEqual(['Bob', 'Ada']);
});

test('health checks the server directly, not through a proxy', async () => {
  const proxy = 'http://127.0.0.1:1';
  const health = (port: string) => runner(dataDir, ['health'], { PORT: port, HTTP_PROXY: proxy, http_proxy: proxy });
  expect(await health(new URL(server.url).port)).toMatchObject({ code: 0, stdout: expect.stringContaining('ok') });
  expect(await health('1')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('127.0.0.1:1/') });
});

test('it makes backups by command and by schedule, and restores them', async () => {
  const made = await command<{ path: string }>('backup', join(folder, 'backups'), '--with-key');
  const restored = join(folder, 'restored');
  expect(await runner(restored, ['restore', made.path])).toMatchObject({ code: 0, stderr: '' });
  const scheduled = join(folder, 'scheduled');
  const again = await spawnServer(restored, { BACKUP_DIR: scheduled, BACKUP_WITH_KEY: 'yes' }, binary);
  expect(await storedNames(again.url, form, key.secret)).toEqual(['Bob', 'Ada']);
  await until(() => again.stdout().includes('"backup made"'), 'the scheduled backup');
  expect(await again.end()).toBe(0);
  const newest = (await newestBackup(scheduled))?.path ?? '';
  expect(await runner(join(folder, 'none'), ['restore', '--verify', newest])).toMatchObject({ code: 0, stderr: '' });
});

test('service install refuses a binary in a temporary folder', async () => {
  const outcome = await runner(dataDir, ['service', 'install', '--print']);
  expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining(binary.command[0] ?? '') });
});

test('it read and wrote nothing in the working directory', async () => {
  expect(existsSync(preloaded)).toBe(false);
  expect((await Array.fromAsync(new Bun.Glob('*').scan({ cwd: hostile, dot: true }))).length).toBe(6);
  expect((await read(server.url, '/v1/forms', key.secret)).status).toBe(200);
});
