import { afterAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { openPostgres } from '../../../src/storage/postgres/open.ts';
import { run } from '../../cli/command-line.ts';
import { startInstance } from '../../support/instance.ts';
import { startPostgres, withClient } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';

const postgres = await startPostgres();
const settings = { DATABASE_URL: postgres.url, ENCRYPTION_KEY: '5f'.repeat(32) };
const instance = await startInstance({ env: settings });
const { owner, url, logs } = instance;
afterAll(async () => {
  await instance.stop();
  await postgres.stop();
});

const query = (text: string) =>
  withClient(postgres.url, async (client) => {
    await client.query('SET default_transaction_read_only = off');
    return client.query(text);
  });
const post = async () => (await instance.post(owner.form.id, { message: 'x'.repeat(10_000) })).status;
const readiness = async () => {
  const answer = await fetch(`${url}/readyz`);
  return `${answer.status} ${((await answer.json()) as { error?: string }).error ?? ''}`.trim();
};
const untilReadiness = (wanted: string) => until(async () => (await readiness()) === wanted, `the answer ${wanted}`);
const findingOf = async (wanted: string) => {
  const { stdout } = await run(instance.dataDir, ['doctor', '--json'], settings);
  return (JSON.parse(stdout) as Array<{ check: string }>).find(({ check }) => check === wanted);
};

const NOT_WRITABLE = '503 Not ready. database: not writable.';

test('a PostgreSQL that turned read-only is not ready, and doctor and the log say so in words', async () => {
  expect([await readiness(), await post()]).toEqual(['200', 200]);
  expect(await findingOf('connection')).toMatchObject({ state: 'ok', message: 'It does not leave this machine.' });
  await query('ALTER SYSTEM SET default_transaction_read_only = on');
  await query('SELECT pg_reload_conf()');
  await untilReadiness(NOT_WRITABLE);
  expect(await post()).toBe(500);
  const fault =
    'PostgreSQL is read-only (25006). Let DATABASE_URL lead to the primary, and turn default_transaction_read_only off.';
  expect(await findingOf('database')).toMatchObject({
    state: 'broken',
    message: `Could not store submissions: ${fault}`,
  });
  expect(logs.filter((line) => line.includes('request failed'))[0]).toContain(`"error":"${fault}"`);
  await expect(openPostgres(postgres.url, { mayCreate: true })).rejects.toThrow(
    'cannot prepare the database in DATABASE_URL: PostgreSQL is read-only (25006). Let DATABASE_URL lead to the primary',
  );
  await query('ALTER SYSTEM RESET default_transaction_read_only');
  await query('SELECT pg_reload_conf()');
  await untilReadiness('200');
  expect(await post()).toBe(200);
});

test('without a leader for a minute the server is ready with a warning, and doctor finds it broken', async () => {
  // Keeps the process from renewing its lease.
  await query(`UPDATE leases SET until = until - 120000000 WHERE name = 'leader';
    CREATE FUNCTION keep_lease() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER keep_lease BEFORE UPDATE ON leases FOR EACH ROW EXECUTE FUNCTION keep_lease()`);
  const warnings = async () => {
    const { data } = (await (await fetch(`${url}/readyz`)).json()) as { data: { warnings?: string[] } };
    return data.warnings;
  };
  expect(await until(warnings, 'a warning')).toEqual([
    expect.stringMatching(/^leader: no process has run the shared jobs for \d+ s$/),
  ]);
  expect(await findingOf('database')).toMatchObject({
    state: 'broken',
    message: expect.stringMatching(/^No process has run the jobs of the instance for \d+ s/),
  });
  await query('DROP TRIGGER keep_lease ON leases');
  await until(async () => (await warnings()) === undefined, 'the warning to end');
});

test('a PostgreSQL whose disk is full is not ready from the first failed post until there is space', async () => {
  await query('ALTER SYSTEM SET autovacuum = off');
  await query('SELECT pg_reload_conf()');
  // A limit of the file size has the effect of a full disk. Segments of the log have 16 MiB.
  await limitFiles('16777216');
  await expect(fillDisk()).rejects.toThrow('could not extend file');
  expect(await post()).toBe(500);
  for (let round = 0; round < 3; round++) await untilReadiness(NOT_WRITABLE);
  await limitFiles('unlimited');
  await untilReadiness('200');
  expect(await post()).toBe(200);
});

/** Runs a command as the account that runs PostgreSQL, who may change its limits; root may not in a container. */
const AS_POSTGRES = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];

/** Limits the size of the files that connections write from now on, and ends those of the instance. */
async function limitFiles(bytes: string): Promise<void> {
  await withClient(postgres.url, async (client) => {
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
    const [, parent = ''] = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${rows[0]?.pid}/status`, 'utf8')) ?? [];
    expect(await Bun.spawn([...AS_POSTGRES, 'prlimit', '--pid', parent, `--fsize=${bytes}:`]).exited).toBe(0);
    await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'formstead'");
  });
}

/** Adds submissions until the table cannot grow. */
function fillDisk(): Promise<void> {
  return withClient(postgres.url, async (client) => {
    for (let n = 1; ; n++) {
      await client.query(
        'INSERT INTO submissions (created_at, id, form_key, is_spam, payload) SELECT $1, $2, key, false, $4 FROM forms WHERE id = $3',
        [n, `filler ${n}`, owner.form.id, crypto.getRandomValues(Buffer.alloc(64 * 1024))],
      );
    }
  });
}
