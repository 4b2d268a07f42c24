import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestData, Ledger, WAIT_TIMEOUT_MS } from '../../.ci/torture/harness.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { LIMITS } from '../../src/storage/postgres/database.ts';
import { openPostgresStore } from '../../src/storage/postgres/open.ts';
import { unpackDebian } from '../support/debian.ts';
import { namedBlock } from '../support/documents.ts';
import { stablePort } from '../support/free-port.ts';
import { temporaryDir } from '../support/instance.ts';
import { type PostgresServer, startPostgres, withClient } from '../support/postgres.ts';
import { formstead, spawnServer } from '../support/process.ts';
import { limit } from '../support/speed.ts';
import { until } from '../support/until.ts';

const NOBODY = 65_534;
const ENCRYPTION_KEY = '07'.repeat(32);
const ACCOUNT = 'formstead';
const IGNORE = `ignore_startup_parameters = ${Object.keys(LIMITS).join(', ')}`;
const SESSION = 'pool_mode = session';
const TRANSACTION = 'pool_mode = transaction';

const folder = temporaryDir();
let libraries = '';
let postgres: PostgresServer;
beforeAll(async () => {
  libraries = await unpackDebian(folder, ['pgbouncer']);
  postgres = await startPostgres();
  await withClient(postgres.url, async (client) => {
    await client.query(`CREATE ROLE ${ACCOUNT} LOGIN`);
    await client.query(`CREATE DATABASE ${ACCOUNT} OWNER ${ACCOUNT}`);
  });
}, limit(120));
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

/** Runs `work` with the URL of Debian's PgBouncer in front of the database. */
async function withPooler<Result>(
  settings: readonly string[],
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const port = stablePort();
  const files = temporaryDir();
  const { hostname, port: serverPort } = new URL(postgres.url);
  const lines = [
    ...['[databases]', `${ACCOUNT} = host=${hostname} port=${serverPort}`, '[pgbouncer]', ...settings],
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='],
    ...['auth_type = trust', `auth_file = ${join(files, 'users')}`],
  ];
  writeFileSync(join(files, 'users'), `"${ACCOUNT}" ""\n`);
  writeFileSync(join(files, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
  const isRoot = process.getuid?.() === 0;
  for (const path of [files, join(files, 'users'), join(files, 'pgbouncer.ini')]) {
    if (isRoot) chownSync(path, NOBODY, NOBODY);
  }
  const asUser = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
  const pooler = Bun.spawn([...asUser, join(folder, 'usr/sbin/pgbouncer'), join(files, 'pgbouncer.ini')], {
    env: { PATH: Bun.env.PATH, LD_LIBRARY_PATH: libraries },
    stdout: 'ignore',
    stderr: 'ignore',
  });
  const url = `postgres://${ACCOUNT}@127.0.0.1:${port}/${ACCOUNT}`;
  try {
    const answers = () => withClient(url, (client) => client.query('SELECT 1')).then(Boolean, () => false);
    await until(answers, 'PgBouncer to answer', WAIT_TIMEOUT_MS);
    return await work(url);
  } finally {
    pooler.kill();
    await pooler.exited;
    rmSync(files, { recursive: true });
  }
}

/** Returns the message with which a server refuses to start. */
async function refusalOf(url: string): Promise<string> {
  const { code, stderr, stdout } = await formstead(join(folder, crypto.randomUUID()), ['serve'], {
    ...{ DATABASE_URL: url, ENCRYPTION_KEY, PORT: '0' },
  });
  expect(code).not.toBe(0);
  return stderr + stdout;
}

describe('behind PgBouncer', () => {
  test(
    'in transaction mode a server refuses to start',
    () =>
      withPooler([TRANSACTION, IGNORE], async (url) => {
        expect(await refusalOf(url)).toContain('gives each transaction another session of PostgreSQL');
      }),
    limit(60),
  );

  test(
    'in transaction mode a server refuses to start while other clients use the pool',
    () =>
      withPooler([TRANSACTION, IGNORE, 'server_round_robin = 1'], async (url) => {
        let isOver = false;
        const busy = Array.from({ length: 6 }, () =>
          withClient(url, async (client) => {
            while (!isOver) await client.query('SELECT pg_sleep(random() * 0.01)');
          }),
        );
        const refusals = [];
        for (let start = 0; start < 3; start++) refusals.push(await refusalOf(url));
        isOver = true;
        await Promise.all(busy);
        for (const each of refusals) expect(each).toContain('Set its pool_mode to session');
      }),
    limit(60),
  );

  test(
    'in session mode a server names the parameters that PgBouncer refuses, then the limits that the account lacks',
    async () => {
      const unsupported = await withPooler([SESSION], refusalOf);
      expect(unsupported).toContain('unsupported startup parameter');
      expect(unsupported).toContain(`Set ${IGNORE} in the pooler`);
      const refusal = await withPooler([SESSION, IGNORE], refusalOf);
      for (const [name, value] of Object.entries(LIMITS))
        expect(refusal).toContain(`ALTER ROLE name SET ${name} = ${value};`);
    },
    limit(60),
  );

  test(
    'in session mode with the settings of the manual, two servers store posts, and one of them leads',
    async () => {
      await withClient(postgres.url, (client) => client.query(namedBlock('role')));
      await withPooler(namedBlock('pgbouncer').trim().split('\n'), async (url) => {
        const env = { DATABASE_URL: url, ENCRYPTION_KEY };
        const testData = await createTestData(join(folder, 'data'), env);
        const servers = [await spawnServer(join(folder, 'a'), env), await spawnServer(join(folder, 'b'), env)];
        const ledger = new Ledger();
        let posts = 0;
        await Promise.all(servers.map((server) => ledger.flood(server, testData.formId, () => posts++ > 100, 0)));
        expect(ledger.refusals).toEqual(new Map());
        const other = await openPostgresStore(url, {}, systemClock);
        expect(await other.instances.lead()).toBe(false);
        const { missing, stored } = await ledger.compare({ url: servers[0]?.url ?? '' }, testData);
        expect([missing, stored]).toEqual([[], ledger.acknowledged.size]);
        for (const server of servers) await server.end('SIGKILL');
        await until(() => other.instances.lead(), 'a killed process to lose the leadership', WAIT_TIMEOUT_MS);
        await other.instances.leave();
        await other.close();
      });
    },
    limit(120),
  );
});
