import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ON_FAULTY_DISK } from '../../.ci/torture/faulty-disk.ts';
import { createTestData, KILLED, Ledger, newFolder } from '../../.ci/torture/harness.ts';
import { formstead, spawnServer } from '../support/process.ts';
import { until } from '../support/until.ts';

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const prepared = await createTestData(join(folder, 'prepared'));

/** Copies the prepared data directory for one test. */
function prepare(name: string) {
  const dataDir = join(folder, name);
  cpSync(prepared.dataDir, dataDir, { recursive: true });
  return { ...prepared, dataDir };
}

const NO_LIMIT = { READS_PER_MINUTE: '0' };

test.each([
  ['texts', 0],
  ['files', 200_000],
])(
  'after a failed sync of %s the server acknowledges nothing, logs the reason and exits, and nothing is lost',
  async (name, fileBytes) => {
    const testData = prepare(name);
    const ledger = new Ledger();
    const server = await spawnServer(testData.dataDir, {}, ON_FAULTY_DISK);
    const visitor = async () => {
      while (await ledger.post(server, testData.formId, fileBytes));
    };
    const visitors = Promise.all(Array.from({ length: 8 }, visitor));
    await until(() => ledger.acknowledged.size >= 50, '50 acknowledged posts');
    expect(await server.end('SIGUSR2')).toBe(KILLED);
    await visitors;

    expect(server.stdout()).toMatch(/"level":"error","message":"fsync failed[^"]+","what":"(database|file|folder)"/);
    expect(server.stderr()).toContain('formstead: A disk sync failed.');
    expect(server.stderr()).not.toContain('    at ');
    expect(ledger.refusals.get('500 storage_unavailable')).toBeGreaterThan(0);
    expect(ledger.withoutRetryAfter).toBe(0);

    const next = await spawnServer(testData.dataDir, NO_LIMIT);
    expect((await ledger.compare(next, testData)).missing).toEqual([]);
    expect(await ledger.post(next, testData.formId)).toBe(true);
    expect(await next.end()).toBe(0);
  },
);

test('a sync that fails at shutdown is reported, and nothing is lost', async () => {
  const testData = prepare('end');
  const ledger = new Ledger();
  const server = await spawnServer(testData.dataDir, {}, ON_FAULTY_DISK);
  for (let n = 0; n < 10; n++) await ledger.post(server, testData.formId);
  process.kill(server.pid, 'SIGUSR2');
  await until(() => server.stderr().includes('the next sync fails'), 'the fault to be armed');
  expect(await server.end('SIGTERM')).toBe(KILLED);
  expect(server.stderr()).toContain('formstead: A disk sync failed.');
  const next = await spawnServer(testData.dataDir, NO_LIMIT);
  expect(await ledger.compare(next, testData)).toEqual({ missing: [], stored: 10 });
  expect(await next.end()).toBe(0);
});

test('a sync that fails in the thread that checkpoints ends the server, and nothing is lost', async () => {
  const testData = prepare('checkpoint');
  const ledger = new Ledger();
  const server = await spawnServer(testData.dataDir, { FAIL_SYNC_OF: '/formstead.db' }, ON_FAULTY_DISK);
  await ledger.flood(server, testData.formId, () => ledger.acknowledged.size >= 5_000, 0);
  expect(await server.end()).toBe(KILLED);
  expect(server.stderr()).toMatch(/^fault: sync \d+, of .*\/formstead\.db$/m);
  expect(server.stderr()).toContain('formstead: A disk sync failed.');
  const next = await spawnServer(testData.dataDir, NO_LIMIT);
  expect((await ledger.compare(next, testData)).missing).toEqual([]);
  expect(await next.end()).toBe(0);
});

test('a sync that fails during a purge ends the server, which purges after the next start', async () => {
  const testData = prepare('purge');
  const path = join(testData.dataDir, 'formstead.db');
  const erased = 'erased '.repeat(300);
  {
    using database = new Database(path);
    database.run('PRAGMA secure_delete = OFF');
    database.run('CREATE TABLE erased (id INTEGER PRIMARY KEY, body TEXT)');
    for (let row = 0; row < 20; row++) database.run('INSERT INTO erased (body) VALUES (?)', [erased]);
    database.run('DELETE FROM erased WHERE id % 3 > 0');
    database.run(
      'INSERT INTO rewrites VALUES (1, 1, 0, 0, 0) ON CONFLICT (id) DO UPDATE SET requested = requested + 1',
    );
    database.run('DELETE FROM erased');
  }
  const isReadable = () => readFileSync(path).includes('erased erased');
  expect(isReadable()).toBe(true);
  const ledger = new Ledger();
  const server = await spawnServer(testData.dataDir, { FAIL_SYNC_OF: '/formstead.db' }, ON_FAULTY_DISK);
  await ledger.flood(server, testData.formId, () => false, 0);
  expect(await server.end()).toBe(KILLED);
  expect(server.stdout()).not.toContain('database purged');
  expect(isReadable()).toBe(true);
  const next = await spawnServer(testData.dataDir, NO_LIMIT);
  await until(() => next.stdout().includes('database purged'), 'the purge');
  expect((await ledger.compare(next, testData)).missing).toEqual([]);
  expect(await next.end()).toBe(0);
  expect(isReadable()).toBe(false);
});

test('a sync that fails at startup is reported, and the next start succeeds', async () => {
  const testData = prepare('start');
  const failed = await formstead(testData.dataDir, ['serve'], { PORT: '0', FAIL_SYNC: '1' }, ON_FAULTY_DISK);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^fault: [^\n]+\nformstead: [^\n]+\n$/) });
  const next = await spawnServer(testData.dataDir);
  expect(await next.end()).toBe(0);
});

test('a new data directory and its parents are synced before anything is written into it', async () => {
  const above = join(folder, 'above');
  for (const [sync, synced] of [above, folder].entries()) {
    const env = { FAIL_SYNC: String(sync + 1) };
    const failed = await formstead(join(above, 'data'), ['init'], env, ON_FAULTY_DISK);
    expect(failed.stderr).toContain(`fault: sync ${sync + 1}, of ${synced}\n`);
    expect(failed.stderr).toMatch(/Could not create DATA_DIR .*\(EIO\)/);
    rmSync(above, { recursive: true });
  }
});

test.each(['formstead.db', 'encryption.key', 'manifest.json', 'files'])(
  'a backup fails and leaves nothing if the sync of its %s fails',
  async (name) => {
    const { dataDir } = prepare(`backup ${name}`);
    const backups = `${dataDir}-backups`;
    const env = { FAIL_SYNC_OF: `Z/${name}` };
    const failed = await formstead(dataDir, ['backup', backups, '--with-key'], env, ON_FAULTY_DISK);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^fault: [^\n]+\nformstead: [^\n]+\n$/) });
    expect(readdirSync(backups)).toEqual([]);
  },
);
