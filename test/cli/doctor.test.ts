import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { challenges } from '../../src/cli/doctor/challenges.ts';
import { toMailAccount } from '../../src/domain/mail/mail-server.ts';
import { DAY, systemClock } from '../../src/lib/clock.ts';
import { readProxies } from '../../src/lib/proxies.ts';
import { SsrfGuard } from '../../src/lib/ssrf-guard.ts';
import { copyStopped } from '../support/filled-instance.ts';
import { startInstance } from '../support/instance.ts';
import { formstead, type ServerProcess, spawnServer } from '../support/process.ts';
import { startSmtp } from '../support/smtp.ts';
import { dataDirs, instances, json, post, type Resource, type Runner, run } from './command-line.ts';

const fresh = instances();
const newDir = dataDirs();
const started: Array<() => unknown> = [];
afterAll(() => Promise.all(started.map((stop) => stop())));

type Finding = Readonly<{ check: string; state: string; message: string }>;

async function examine(dataDir: string, env: Record<string, string> = {}, runner: Runner = run) {
  const { code, stdout, stderr } = await runner(dataDir, ['doctor', '--json'], env);
  const findings = JSON.parse(stdout) as Finding[];
  return { code, stderr, findings, of: (check: string) => findings.find((finding) => finding.check === check) };
}

async function mailSettings(options: Parameters<typeof startSmtp>[0] = {}) {
  const smtp = await startSmtp(options);
  started.push(smtp.stop);
  return { smtp, env: { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' } };
}

describe('doctor', () => {
  test('names the processes that serve the database if there are several', async () => {
    const dataDir = fresh();
    using database = new Database(join(dataDir, 'formstead.db'));
    const add = database.query('INSERT INTO instances VALUES (?, ?, ?, ?, 1, 0, 0)');
    add.run('ins_1', 'forms-1', 11, '1.0.0');
    expect((await examine(dataDir)).of('database')?.message).not.toContain('served by');
    add.run('ins_2', 'forms-2', 12, '1.1.0');
    expect((await examine(dataDir)).of('database')?.message).toEndWith(
      '; served by forms-1 (pid 11, version 1.0.0), forms-2 (pid 12, version 1.1.0).',
    );
  });

  test('finds no problem in a new data directory, and lists the settings that are off', async () => {
    const dataDir = fresh();
    const outcome = await run(dataDir, ['doctor']);
    expect([outcome.code, outcome.stderr]).toEqual([0, '']);
    expect(outcome.stdout).toMatch(/^check +state +message$/m);
    expect(outcome.stdout).toMatch(
      /^mail +off +No mail server is set up, so nobody is notified\. Set SMTP_URL and MAIL_FROM, or set it up under Mail in the dashboard\.$/m,
    );
    const { findings, of } = await examine(dataDir);
    expect(of('disk')?.message).toMatch(/^\d+ MiB free; the minimum is 64 MiB\.$/);
    expect(findings.filter(({ message }) => !/^[A-Z\d].*\.$|^\/.* is writable\.$/.test(message))).toEqual([]);
    expect(findings.map(({ check, state }) => [check, state])).toEqual([
      ['instance', 'ok'],
      ['settings', 'ok'],
      ['data directory', 'ok'],
      ['permissions', 'ok'],
      ['disk', 'ok'],
      ['files', 'off'],
      ['database', 'ok'],
      ['connection', 'off'],
      ['durability', 'ok'],
      ['encryption key', 'warning'],
      ['clock', 'ok'],
      ['plans', 'ok'],
      ['challenges', 'off'],
      ['backups', 'warning'],
      ['mail', 'off'],
      ['webhooks', 'ok'],
      ['pages', 'ok'],
      ['address', 'off'],
      ['visitor addresses', 'unknown'],
      ['metrics', 'unknown'],
    ]);
    const chapter = readFileSync(join(import.meta.dir, '../../src/manual/monitoring.md'), 'utf8');
    const rows = chapter.match(/(?<=^\| check \| looks at \|\n(?:\|.*\n)*)\| `.*?(?= \|)/gm)?.join() ?? '';
    for (const { check } of findings) expect([check, rows.includes(`\`${check}\``)]).toEqual([check, true]);
  });

  test('reports missing files', async () => {
    const dataDir = newDir();
    const instance = await startInstance();
    for (const text of ['lost', 'kept']) {
      const body = new FormData();
      body.append('cv', new File([text], 'cv.txt', { type: 'text/plain' }));
      await instance.post(instance.owner.form.id, body);
    }
    copyStopped(instance.dataDir, dataDir);
    await instance.stop();
    expect((await examine(dataDir)).of('files')).toMatchObject({ state: 'off' });
    const [name = ''] = readdirSync(join(dataDir, 'files'));
    rmSync(join(dataDir, 'files', name));
    const { code, of } = await examine(dataDir);
    expect([code, of('files')]).toMatchObject([
      1,
      {
        state: 'broken',
        message: expect.stringMatching(/^1 of 2 files looked for are missing\. Run "formstead vault check"/),
      },
    ]);
  });

  test('reports a form whose challenge is verified at a private address, unless the host is allowed', async () => {
    const dataDir = fresh();
    const team = await json<Resource>(dataDir, ['team', 'create', '--name', 'Acme']);
    const workspace = await json<Resource>(dataDir, ['workspace', 'create', '--team', team.id, '--name', 'Site']);
    const challenge = ['--challenge', 'cap', '--challenge-secret', 's', '--challenge-verify-url'];
    const create = ['form', 'create', '--workspace', workspace.id, '--name', 'Contact', ...challenge];
    const form = await json<Resource>(dataDir, [...create, 'http://localhost:3001/KEY/siteverify']);
    const { code, of } = await examine(dataDir);
    expect([code, of('challenges')]).toMatchObject([
      1,
      {
        state: 'broken',
        message: expect.stringMatching(new RegExp(`^The form ${form.id} .* ALLOWED_PRIVATE_HOSTS\\.$`)),
      },
    ]);
    const unlisted = await examine(dataDir, { ALLOWED_PRIVATE_HOSTS: '', OUTBOUND_HOSTS: 'cap.example' });
    expect(unlisted.of('challenges')?.message).toMatch(/localhost is not listed\. .* OUTBOUND_HOSTS\.$/);
    const allowed = await examine(dataDir, { ALLOWED_PRIVATE_HOSTS: 'localhost' });
    expect(allowed.of('challenges')?.state).toBe('ok');
    await json(dataDir, [...create, 'http://nowhere.invalid/siteverify']);
    const unknown = await examine(dataDir, { ALLOWED_PRIVATE_HOSTS: 'localhost' });
    expect(unknown.of('challenges')?.state).toBe('unknown');
    expect((await examine(dataDir)).of('challenges')?.state).toBe('broken');
  });

  test('resolves each challenge host once, and none that is reached through a proxy', async () => {
    const instance = await startInstance();
    const form = (url: string) =>
      instance.makeForm(instance.owner, {}, { kind: 'custom', secret: 's', verifyUrl: `https://${url}/siteverify` });
    for (const url of ['cap.invalid', 'cap.invalid:81', 'other.invalid', 'far.invalid']) await form(url);
    const lookedUp: string[] = [];
    const destinations = new SsrfGuard({ allowedPrivateHosts: [] }, async (host) => {
      lookedUp.push(host);
      return [{ address: '8.8.8.8' }];
    });
    const proxies = readProxies({ HTTPS_PROXY: 'http://proxy.invalid', NO_PROXY: 'cap.invalid,other.invalid' });
    expect(await challenges({ ...instance.context, proxies }, destinations)).toMatchObject({ state: 'ok' });
    expect(lookedUp.toSorted()).toEqual(['cap.invalid', 'other.invalid']);
    await instance.stop();
  });

  test('prints the age of the newest backup', async () => {
    const dataDir = fresh();
    const env = { BACKUP_DIR: join(dataDir, '../backups'), BACKUP_HOURS: '1', BACKUP_WITH_KEY: 'no' };
    await run(dataDir, ['team', 'list']);
    expect((await examine(dataDir, env)).of('backups')).toMatchObject({ state: 'unknown' });
    const { code } = await run(dataDir, ['backup', env.BACKUP_DIR, '--without-key']);
    expect(code).toBe(0);
    expect((await examine(dataDir, env)).of('backups')).toMatchObject({
      state: 'ok',
      message: expect.stringMatching(/^The newest is from 20.*formstead-20/),
    });
    const [made = ''] = readdirSync(env.BACKUP_DIR);
    renameSync(join(env.BACKUP_DIR, made), join(env.BACKUP_DIR, 'formstead-2024-05-01T00-00-00-000000Z'));
    const late = await examine(dataDir, env);
    expect([late.code, late.of('backups')]).toMatchObject([1, { state: 'broken' }]);
    expect(late.stderr).toContain('problems found: backups.');
  });

  test('reports backups that the server should have made', async () => {
    const dataDir = fresh();
    const server = await spawnServer(dataDir);
    started.push(server.end);
    const env = { BACKUP_DIR: join(dataDir, '../none'), BACKUP_WITH_KEY: 'no' };
    expect((await examine(dataDir, env)).of('backups')).toMatchObject({ state: 'broken' });
  });

  test('logs in to the mail server and sends nothing', async () => {
    const { smtp, env } = await mailSettings({ login: { user: 'ada', pass: 'right' } });
    const { code, of } = await examine(fresh(), env);
    expect([code, of('mail')]).toMatchObject([
      0,
      { state: 'ok', message: expect.stringMatching(/forms@mail\.example\. .*accepts the login/) },
    ]);
    expect([smtp.seen.get('AUTH'), smtp.mails.length, smtp.seen.get('MAIL')]).toEqual([1, 0, undefined]);
  });

  test('logs in to the mail server that was set up in the dashboard', async () => {
    const { smtp } = await mailSettings({ login: { user: 'ada', pass: 'right' } });
    const instance = await startInstance();
    const messageWith = async (password: string) => {
      await instance.context.mail.change(
        toMailAccount(`smtp://ada:${password}@127.0.0.1:${smtp.port}`, 'own@mail.example'),
      );
      const dataDir = newDir();
      copyStopped(instance.dataDir, dataDir);
      return (await examine(dataDir, { ALLOWED_PRIVATE_HOSTS: '127.0.0.1' })).of('mail')?.message;
    };
    expect(await messageWith('right')).toMatch(/own@mail\.example\. .*accepts the login/);
    expect(await messageWith('wrong')).toMatch(/user and password.*535/);
    await instance.stop();
  });

  test('explains a failed login at the mail server, and exits with 1', async () => {
    const { smtp } = await mailSettings({ login: { user: 'ada', pass: 'right' } });
    const env = { SMTP_URL: `smtp://ada:wrong@127.0.0.1:${smtp.port}`, MAIL_FROM: 'forms@mail.example' };
    const { code, stderr, of } = await examine(fresh(), env);
    expect(code).toBe(1);
    expect(stderr).toContain('problems found: mail.');
    expect(of('mail')).toMatchObject({ state: 'broken', message: expect.stringMatching(/user and password.*535/) });
    const { of: ofNone } = await examine(fresh(), { ...env, SMTP_URL: 'smtp://127.0.0.1:1' });
    expect(ofNone('mail')?.message).toMatch(/connection refused/);
  });

  test('counts failed mails as a problem, but no auto-replies', async () => {
    const { env } = await mailSettings();
    const dataDir = fresh();
    const fail = (id: string, kind: string) => {
      const database = new Database(join(dataDir, 'formstead.db'));
      database.run(
        `INSERT INTO outbox (id, kind, message_id, state, failures, due_at, fence, created_at) VALUES (?, ?, '<a@b>', 'dead', 1, 1, 1, 1)`,
        [id, kind],
      );
      database.close();
    };
    fail('mail_a', 'auto_reply');
    expect((await examine(dataDir, env)).of('mail')?.state).toBe('ok');
    fail('mail_b', 'notification');
    const { code, of } = await examine(dataDir, env);
    expect(code).toBe(1);
    expect(of('mail')).toMatchObject({
      state: 'broken',
      message: expect.stringMatching(/^1 email bounced\..*outbox list/),
    });
  });

  test('reports a damaged database', async () => {
    const dataDir = fresh();
    await json(dataDir, ['team', 'create', '--name', 'Acme']);
    const path = join(dataDir, 'formstead.db');
    const db = new Database(path);
    db.run('PRAGMA wal_checkpoint(TRUNCATE)');
    const page = db
      .query<{ root: number }, []>("SELECT rootpage AS root FROM sqlite_schema WHERE name = 'outbox'")
      .get();
    const size = db.query<{ page_size: number }, []>('PRAGMA page_size').get();
    db.close();
    const bytes = Buffer.from(await Bun.file(path).arrayBuffer());
    const { page_size: length = 0 } = size ?? {};
    bytes.fill(0xff, ((page?.root ?? 0) - 1) * length, (page?.root ?? 0) * length);
    writeFileSync(path, bytes);
    const { code, of } = await examine(dataDir);
    expect([code, of('database')?.state]).toEqual([1, 'broken']);
    expect(of('database')?.message).toMatch(/The database is damaged \(.*\)\. Stop the server.*restore a backup/);
  });

  test.each([
    [{ ENCRYPTION_KEY: 'short' }, /ENCRYPTION_KEY must be a 32-byte key/],
    [{ ENCRYPTION_KEY: 'ab'.repeat(32) }, /key/],
    [{ BASE_URL: 'forms' }, /BASE_URL must be .*\(got "forms"\)/],
  ])('reports what prevents a start: %j', async (env, says) => {
    const dataDir = fresh();
    await json(dataDir, ['team', 'list']);
    const { code, findings } = await examine(dataDir, env);
    expect(code).toBe(1);
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([
      { check: 'start', state: 'broken', message: expect.stringMatching(says) as unknown as string },
    ]);
  });

  test('lists files that others can open, and prints commands that make them private', async () => {
    const dataDir = fresh();
    const inspect = () => examine(dataDir, {}, formstead);
    await inspect();
    chmodSync(join(dataDir, 'encryption.key'), 0o644);
    chmodSync(join(dataDir, 'formstead.db'), 0o660);
    chmodSync(dataDir, 0o777);
    const { code, of } = await inspect();
    expect([code, of('permissions')?.state]).toEqual([1, 'broken']);
    expect(of('permissions')?.message).toMatch(
      /^Other users can write to it.*chmod go-w .*encryption\.key.*formstead\.db/,
    );
    const mend = of('permissions')?.message.match(/chmod [^"]+/g) ?? [];
    expect(mend.length).toBe(2);
    for (const command of mend) expect(await Bun.spawn(command.split(' ')).exited).toBe(0);
    expect((await inspect()).of('permissions')?.state).toBe('ok');
  });

  test('compares the free space with MIN_FREE_BYTES', async () => {
    const dataDir = fresh();
    const full = await examine(dataDir, { MIN_FREE_BYTES: String(1024 ** 5) });
    expect([full.code, full.of('disk')]).toMatchObject([1, { state: 'broken' }]);
    expect(full.of('disk')?.message).toMatch(/^\d+ MiB are free, less than .* MIN_FREE_BYTES\. Free some space/);
    const none = await examine(dataDir, { MIN_FREE_BYTES: '0' });
    expect([none.code, none.of('disk')?.state]).toEqual([0, 'off']);
  });

  test('reports a clock that is behind the newest submission', async () => {
    const instance = await startInstance({ clock: () => systemClock() + DAY });
    started.push(instance.stop);
    expect((await examine(instance.dataDir)).of('clock')?.state).toBe('ok');
    await instance.post(instance.owner.form.id, { message: 'From tomorrow' });
    const { code, of } = await examine(instance.dataDir);
    expect([code, of('clock')]).toMatchObject([
      1,
      { state: 'broken', message: expect.stringMatching(/Correct the clock/) },
    ]);
  });

  test('reports teams whose plan is not defined', async () => {
    const dataDir = fresh();
    const env = { PLANS: '{"gold":{"api_access":true,"submissions_limit":5}}' };
    const { id } = await json(dataDir, ['team', 'create', '--name', 'Acme', '--plan', 'gold'], env);
    expect((await examine(dataDir, env)).of('plans')?.state).toBe('ok');
    const { code, of } = await examine(dataDir);
    expect([code, of('plans')]).toMatchObject([
      1,
      { state: 'broken', message: expect.stringContaining(`${id} (gold)`) },
    ]);
  });
});

/** Starts an HTTP proxy in front of `target` that adds these headers. Returns its URL. */
async function startProxy(target: string, headers: Record<string, string>, host = '127.0.0.1'): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const forwarded = request(target + incoming.url, { headers: { ...incoming.headers, ...headers } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.end();
  });
  await new Promise<void>((resolve) => proxy.listen(0, host, resolve));
  started.push(() => proxy.close());
  return `http://${host}:${(proxy.address() as AddressInfo).port}`;
}

describe('doctor requests BASE_URL', () => {
  const TRUSTING = { TRUSTED_PROXIES: '127.0.0.1' };
  const serve = async (env: Record<string, string> = {}): Promise<ServerProcess & { dataDir: string }> => {
    const dataDir = newDir();
    const server = await spawnServer(dataDir, env);
    started.push(() => server.end());
    return { ...server, dataDir };
  };
  const inspect = async (dataDir: string, env: Record<string, string>) => {
    const { code, of } = await examine(dataDir, env);
    return { code, address: of('address'), visitors: of('visitor addresses'), metrics: of('metrics') };
  };

  test('and finds this instance, which keeps serving', async () => {
    const { url, dataDir } = await serve();
    expect(await inspect(dataDir, { BASE_URL: url })).toMatchObject({
      code: 0,
      address: { state: 'ok', message: `${url} leads to this instance.` },
      visitors: { state: 'ok', message: 'Visitors connect without a proxy.' },
    });
    const [form] = await json<Array<{ short_id: string }>>(dataDir, [
      'form',
      'list',
      '--team',
      await firstTeam(dataDir),
    ]);
    expect((await post(url, form?.short_id)).status).toBe(200);
  });

  test('and reports that it leads elsewhere', async () => {
    const [here, other] = await Promise.all([serve(), serve()]);
    const answering = async (status: number, headers = {}) => {
      const away = createServer((_, answer) => answer.writeHead(status, headers).end());
      await new Promise<void>((resolve) => away.listen(0, '127.0.0.1', resolve));
      started.push(() => away.close());
      return `http://127.0.0.1:${(away.address() as AddressInfo).port}`;
    };
    const moved = await answering(301, { Location: 'https://www.example.com/' });
    const unknown = await answering(404);
    const cases = [
      [other.url, /is answered by another program, or by an instance with another key/],
      [moved, /redirects to https:\/\/www\.example\.com\/\. Set BASE_URL/],
      [unknown, /answers \/healthz with 404/],
      ['http://127.0.0.1:1', /cannot be reached from here/],
    ] as const;
    for (const [BASE_URL, says] of cases) {
      const { code, address, visitors } = await inspect(here.dataDir, { BASE_URL });
      expect([code, address?.state, visitors?.state]).toEqual([1, 'broken', 'unknown']);
      expect(address?.message).toMatch(says);
    }
  });

  test('only if a server runs', async () => {
    const { code, address, visitors } = await inspect(fresh(), { BASE_URL: 'http://127.0.0.1:1' });
    expect([code, address?.state, visitors?.state]).toEqual([0, 'unknown', 'unknown']);
    const secure = await inspect(fresh(), { BASE_URL: 'https://forms.example.com' });
    expect([secure.code, secure.address?.state]).toEqual([1, 'unknown']);
    expect(secure.visitors?.message).toMatch(/TRUSTED_PROXIES is not set/);
  });

  test('through a proxy, and reports if the addresses of visitors are not forwarded', async () => {
    const [trusting, plain] = await Promise.all([serve(TRUSTING), serve()]);
    const forwarding = { 'X-Forwarded-For': '203.0.113.9' };
    const visitorsOf = async ({ dataDir, url }: typeof plain, env: Record<string, string>, headers = {}) => {
      const { address, visitors } = await inspect(dataDir, { ...env, BASE_URL: await startProxy(url, headers) });
      expect(address?.state).toBe('ok');
      return visitors;
    };
    expect(await visitorsOf(trusting, TRUSTING, forwarding)).toMatchObject({
      state: 'ok',
      message: expect.stringContaining('came from 203.0.113.9'),
    });
    expect(await visitorsOf(plain, {}, forwarding)).toMatchObject({
      state: 'broken',
      message: expect.stringContaining('Add 127.0.0.1 to TRUSTED_PROXIES'),
    });
    expect(await visitorsOf(trusting, TRUSTING)).toMatchObject({
      state: 'broken',
      message: expect.stringContaining('X-Forwarded-For'),
    });
  });

  test('and reports that metrics take a token with BASE_URL, and may be public without both', async () => {
    const BASE_URL = 'http://127.0.0.1:1';
    const metricsWith = async (env: Record<string, string>) => (await inspect(fresh(), env)).metrics;
    expect(await metricsWith({ BASE_URL, METRICS_TOKEN: 'a-token-of-32-characters-or-more' })).toMatchObject({
      state: 'ok',
    });
    expect(await metricsWith({ BASE_URL })).toMatchObject({
      state: 'off',
      message: 'Nobody can read them, since BASE_URL is set. Set METRICS_TOKEN to read them.',
    });
    expect(await metricsWith({})).toMatchObject({
      state: 'unknown',
      message: expect.stringContaining('A proxy on this machine may publish them: set BASE_URL or METRICS_TOKEN'),
    });
  });

  test('with a signature, without which the client address is not revealed', async () => {
    const { url } = await serve();
    for (const ask of ['1.2', `${Math.floor(Date.now() / 1000)}.${'ab'.repeat(32)}`, '']) {
      const answer = await fetch(`${url}/healthz`, { headers: { 'Formstead-Mirror': ask } });
      expect(await answer.json()).toEqual({ status: 'ok' });
    }
  });
});

async function firstTeam(dataDir: string): Promise<string> {
  const [team] = await json<Array<{ id: string }>>(dataDir, ['team', 'list']);
  return team?.id ?? '';
}
