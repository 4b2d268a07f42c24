import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDir } from '../support/instance.ts';
import { emptyDatabase, startPostgres, withClient } from '../support/postgres.ts';
import { createInstance, FROM_SOURCE, formstead, type ServerProcess, spawnServer } from '../support/process.ts';
import { startS3 } from '../support/s3.ts';
import { limit } from '../support/speed.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';

const [OLD_KEY, NEW_KEY] = ['1a'.repeat(32), '2b'.repeat(32)];

/** Starts processes that serve one database at once, each with a data directory of its own. */
async function startProcesses(url: string, count: number, env: Record<string, string> = { ENCRYPTION_KEY: OLD_KEY }) {
  const folders = Array.from({ length: count }, () => temporaryDir());
  const settings = { DATABASE_URL: url, PAGES_PER_MINUTE: '0', WRITES_PER_MINUTE: '0', ...env };
  const servers = await Promise.all(folders.map((folder) => spawnServer(folder, settings, FROM_SOURCE)));
  const [folder = ''] = folders;
  const query = <Row extends object>(sql: string) =>
    withClient(url, async (client) => (await client.query<Row>(sql)).rows);
  return {
    servers: servers as [ServerProcess, ServerProcess, ServerProcess, ServerProcess],
    query,
    endpoint: `/v1/forms/${(await query<{ id: string }>('SELECT id FROM forms'))[0]?.id}/submissions`,
    run: (args: readonly string[], changes: Record<string, string> = {}) =>
      formstead(folder, args, { ...settings, ...changes }, FROM_SOURCE),
    stop: async () => {
      await Promise.all(servers.map((server) => server.end()));
      for (const one of folders) rmSync(one, { recursive: true });
    },
  };
}

const post = (url: string, body: NonNullable<RequestInit['body']>) =>
  fetch(url, { method: 'POST', headers: { Accept: 'application/json' }, body }).then(
    ({ status }) => status,
    () => 0,
  );

const message = (text: string) => new URLSearchParams({ message: text });

test(
  'four first starts at once make one team, one form and one welcome link',
  async () => {
    const { servers, query, stop } = await startProcesses(await emptyDatabase(), 4);
    const counts = await query(`SELECT (SELECT count(*)::int FROM teams) AS teams,
      (SELECT count(*)::int FROM forms) AS forms, (SELECT count(*)::int FROM one_time_links) AS links`);
    expect(counts).toEqual([{ teams: 1, forms: 1, links: 1 }]);
    const printed = servers.map((server) => `${server.stdout()}${server.stderr()}`).join('');
    expect(printed.match(/\/dashboard\/welcome\//g)).toHaveLength(1);
    await stop();
    expect(await query('SELECT * FROM instances')).toEqual([]);
  },
  limit(120),
);

test(
  'several processes refuse uploads without a bucket and say why, and accept them again when one serves alone',
  async () => {
    const { servers, endpoint, run, stop } = await startProcesses(await emptyDatabase(), 2);
    const [first, second] = servers;
    const upload = () => {
      const form = new FormData();
      form.set('message', 'Hello');
      form.set('cv', new File(['text'], 'cv.txt', { type: 'text/plain' }));
      return post(first.url + endpoint, form);
    };
    await until(() => first.stdout().includes('uploads are refused'), 'the first process to notice the second');
    expect(await upload()).toBe(500);
    expect(first.stdout()).toMatch(/"message":"request failed".*"error":"several processes serve .*Set S3_URL/);
    expect(await post(first.url + endpoint, message('Hello'))).toBe(200);
    expect(await post(second.url + endpoint, message('Hello'))).toBe(200);
    const checked = await run(['doctor', '--json']);
    const findings = JSON.parse(checked.stdout) as Array<{ check: string; state: string; message: string }>;
    expect(findings).toContainEqual({
      check: 'files',
      state: 'broken',
      message: expect.stringContaining('Set S3_URL'),
    });
    expect(findings).toContainEqual(expect.objectContaining({ check: 'database', state: 'ok' }));
    const metrics = await (await fetch(`${first.url}/metrics`)).text();
    expect(metrics).toMatch(/formstead_submissions_accepted_total\{instance="[^"]+:\d+"\} 1\n/);
    await second.end('SIGKILL');
    await until(() => first.stdout().includes('uploads are accepted again'), 'the dead process to be forgotten');
    expect(await upload()).toBe(200);
    await stop();
  },
  limit(120),
);

/**
 * Rotates the master key of three processes under load while one of them is stopped between sealing and storing a record,
 * and lets it go on afterwards. Returns the result of checking all records with the new key alone. `isFenced` is false for
 * a database without its trigger.
 */
async function rotateWithOneStopped(isFenced: boolean) {
  const url = await emptyDatabase();
  const keys = { ENCRYPTION_KEY: `${OLD_KEY},${NEW_KEY}` };
  const { servers, query, endpoint, run, stop } = await startProcesses(url, 2, keys);
  const proxy = await startTcpProxy(url);
  const behind = await startProcesses(proxy.url, 1, keys);
  const [stopped] = behind.servers;
  if (!isFenced) await query('DROP FUNCTION fence_records CASCADE');
  const [team] = await query<{ id: string }>('SELECT id FROM teams');
  const created = await run([
    'key',
    'create',
    '--team',
    team?.id ?? '',
    '--name',
    'k',
    '--scope',
    'read_write',
    '--json',
  ]);
  const { secret } = JSON.parse(created.stdout) as { secret: string };
  const createWebhook = (url: string) =>
    fetch(url + endpoint.replace('/submissions', '/webhooks'), {
      method: 'POST',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ url: 'https://example.com/hook', events: ['submission.created'] }),
    }).then(
      ({ status }) => status,
      () => 0,
    );
  expect(await createWebhook(servers[0].url)).toBe(201);
  const statuses: number[] = [];
  let isOver = false;
  const sendUntilOver = async (to: string) => {
    while (!isOver) {
      const status = await post(to + endpoint, message('Hello'));
      statuses.push(status);
      // Nobody listens there any more.
      if (status === 0) return;
    }
  };
  const load = [...servers, stopped].map((server) => sendUntilOver(server.url));
  await until(() => statuses.filter((status) => status === 200).length > 100, 'the load');
  // The start of the transaction that stores a webhook, whose settings are sealed by then.
  proxy.stallAt('begin isolation level serializable');
  const sealed = createWebhook(stopped.url);
  await until(() => proxy.stalled() > 0, 'the webhook to be sealed');
  process.kill(stopped.pid, 'SIGSTOP');
  // These wait in the stopped process.
  const late = Promise.all([
    sealed,
    createWebhook(stopped.url),
    createWebhook(stopped.url),
    post(stopped.url + endpoint, message('Late')),
  ]);
  // A rolling restart with the new key in front.
  const restarted: Awaited<ReturnType<typeof startProcesses>>[] = [];
  for (const server of servers) {
    await server.end();
    restarted.push(await startProcesses(url, 1, { ENCRYPTION_KEY: `${NEW_KEY},${OLD_KEY}` }));
  }
  const urls = restarted.map((one) => one.servers[0].url);
  const moreLoad = urls.map((one) => sendUntilOver(one));
  const states = async () =>
    (await query<{ state: string }>('SELECT state FROM vault_keys ORDER BY created_at')).map(({ state }) => state);
  await until(async () => (await states()).join() === 'unused,current', 'the rotation to end', limit(60));
  expect(await query('SELECT * FROM instances')).toHaveLength(2);
  process.kill(stopped.pid, 'SIGCONT');
  proxy.resume();
  for (const status of await late) expect([200, 201, 500]).toContain(status);
  await until(async () => (await createWebhook(stopped.url)) === 201, 'the stopped process to follow');
  const before = statuses.length;
  await until(() => statuses.length > before + 100, 'more load');
  isOver = true;
  await Promise.all([...load, ...moreLoad]);
  await Promise.all([...restarted, behind].map((one) => one.stop()));
  await stop();
  proxy.stop();
  expect(statuses.filter((status) => ![0, 200, 500].includes(status))).toEqual([]);
  const check = await restarted[0]?.run(['vault', 'check'], { ENCRYPTION_KEY: NEW_KEY });
  const accepted = statuses.filter((status) => status === 200).length;
  const [stored] = await query<{ count: number }>('SELECT count(*)::int AS count FROM submissions');
  expect(stored?.count).toBeGreaterThanOrEqual(accepted);
  return check;
}

test(
  'each process sweeps what it left in the bucket before, and no files of others',
  async () => {
    const dir = temporaryDir();
    const s3 = await startS3(join(dir, 's3'));
    const nameOf = (writer: string) => `team/files/${writer}${'0'.repeat(24)}`;
    for (const writer of ['aaaaaaaa', 'bbbbbbbb', 'cccccccc']) {
      await s3.client.write(nameOf(writer), 'left by a killed upload');
      const anHourAgo = Date.now() / 1000 - 3_660;
      const path = join(dir, 's3/forms', `${nameOf(writer)}._S3rver_object`);
      // The server answers before its file has this name.
      await until(() => existsSync(path), 'the object');
      utimesSync(path, anHourAgo, anHourAgo);
    }
    const settings = { DATABASE_URL: await emptyDatabase(), ENCRYPTION_KEY: OLD_KEY, ...s3.env };
    await createInstance(join(dir, 'commands'), settings);
    await withClient(settings.DATABASE_URL, (client) =>
      // The database refers to a file, and is older than those in the bucket.
      client.query(`UPDATE migrations SET applied_at = '2026-01-01T00:00:00.000Z';
        INSERT INTO files (blob, submission_id) VALUES ('some', 'some')`),
    );
    const start = (writer: string) => {
      const folder = join(dir, writer);
      mkdirSync(folder);
      writeFileSync(join(folder, 's3-writer'), writer);
      return spawnServer(folder, settings, FROM_SOURCE);
    };
    const leader = await start('aaaaaaaa');
    await until(async () => (await s3.keys()).length === 2, 'the sweep of the leader');
    const second = await start('bbbbbbbb');
    await until(async () => (await s3.keys()).length === 1, 'the sweep of the second process');
    expect(await s3.keys()).toEqual([nameOf('cccccccc')]);
    await Promise.all([leader.end(), second.end(), s3.stop()]);
    rmSync(dir, { recursive: true });
  },
  limit(120),
);

test(
  'a rotation under load with one process stopped leaves nothing unreadable',
  async () => {
    const check = await rotateWithOneStopped(true);
    expect(check?.stderr).toContain(', 0 failed.');
    expect(check?.code).toBe(0);
  },
  limit(240),
);

test(
  'without the trigger in the database the same rotation leaves unreadable records, as the check above would notice',
  async () => {
    const check = await rotateWithOneStopped(false);
    expect(check?.stderr).toMatch(/, [1-9]\d* failed\./);
    expect(check?.code).toBe(1);
  },
  limit(240),
);

describe('after an outage of PostgreSQL', () => {
  test(
    'the service is back within 5 s, and nothing was acknowledged meanwhile',
    async () => {
      const postgres = await startPostgres();
      const { servers, endpoint, query, stop } = await startProcesses(postgres.url, 2);
      const acknowledged: string[] = [];
      const during: number[] = [];
      const send = async ({ url }: ServerProcess) => {
        const text = crypto.randomUUID();
        const status = await post(url + endpoint, message(text));
        if (status === 200) acknowledged.push(text);
        return status;
      };
      for (const server of servers) expect(await send(server)).toBe(200);
      await postgres.restart(async () => {
        for (const server of servers) during.push(await send(server), await send(server));
      });
      expect(during.every((status) => status >= 500)).toBe(true);
      const returnedAt = performance.now();
      for (const server of servers) {
        await until(async () => (await send(server)) === 200, 'the service to be back');
        await until(async () => (await fetch(`${server.url}/readyz`)).status === 200, 'readiness');
      }
      expect(performance.now() - returnedAt).toBeLessThan(limit(5));
      const [{ count } = { count: 0 }] = await query<{ count: number }>(
        'SELECT count(*)::int AS count FROM submissions',
      );
      expect(count).toBe(acknowledged.length);
      await stop();
      await postgres.stop();
    },
    limit(120),
  );
});
