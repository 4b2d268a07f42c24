import { expect, test } from 'bun:test';
import { chmodSync, chownSync, closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { FROM_SOURCE, type ServerProcess, spawnServer } from '../support/process.ts';
import { until } from '../support/until.ts';
import { createTeamWithForm, dataDirs, instances, post, run } from './command-line.ts';
import { giveToService, serveAsService, uid } from './service-user.ts';

const fresh = dataDirs();
const newInstance = instances();

const readiness = async ({ url }: ServerProcess) => {
  const answer = await fetch(`${url}/readyz`);
  const { error } = (await answer.json()) as { error?: string };
  return `${answer.status} ${error ?? ''}`.trim();
};
const untilReadiness = (server: ServerProcess, wanted: string) =>
  until(async () => (await readiness(server)) === wanted, `the answer ${wanted}`);

const PAGE = 4096;
const NOT_WRITABLE = '503 Not ready. database: not writable.';

test('is not ready while the database is locked, and ready afterwards', async () => {
  const dataDir = fresh();
  const server = await spawnServer(dataDir);
  const holder = Bun.spawn(['bun', '-e', HOLD_WRITE_LOCK, join(dataDir, 'formstead.db')], {
    stdin: 'pipe',
    stdout: 'pipe',
  });
  await holder.stdout.getReader().read();
  expect(await readiness(server)).toBe(NOT_WRITABLE);
  holder.stdin.end();
  await holder.exited;
  await untilReadiness(server, '200');
  expect(await server.end()).toBe(0);
});

const HOLD_WRITE_LOCK = `
  const { Database } = require('bun:sqlite');
  const db = new Database(process.argv[1]);
  db.run('PRAGMA busy_timeout = 10000');
  db.run('BEGIN IMMEDIATE');
  console.log('held');
  await Bun.stdin.text();
  db.run('ROLLBACK');
`;

test('is not ready from the first failed post on a full disk, without a minimum of free space, until there is space', async () => {
  const dataDir = newInstance();
  const { form } = await createTeamWithForm(dataDir);
  // A limit of the file size has the effect of a full disk.
  const limited = ['sh', '-c', `trap '' XFSZ; ulimit -S -f 1200; exec "$@"`, 'sh', ...FROM_SOURCE.command];
  const server = await spawnServer(dataDir, { MIN_FREE_BYTES: '0' }, { command: limited });
  const send = async () => (await post(server.url, form.id, 'x'.repeat(10_000))).status;
  await until(async () => (await send()) === 500, 'a full disk');
  for (let round = 0; round < 3; round++) await untilReadiness(server, NOT_WRITABLE);
  expect(server.stdout()).toMatch(/"message":"request failed".*"error":"disk I\/O error\. Check the disk/);
  await Bun.spawn(['prlimit', '--pid', String(server.pid), '--fsize=unlimited']).exited;
  await untilReadiness(server, '200');
  expect(await send()).toBe(200);
  expect(await server.end()).toBe(0);
});

test('is not ready after its data directory was given to another user, and names the path', async () => {
  const dataDir = newInstance();
  const { form } = await createTeamWithForm(dataDir);
  giveToService(dataDir);
  const server = await serveAsService(dataDir);
  // Only root can give it away; with this mode it is as useless to its owner.
  if (uid === 0) chownSync(dataDir, 0, 0);
  else chmodSync(dataDir, 0);
  expect((await post(server.url, form.id)).status).toBe(500);
  expect(server.stdout()).toMatch(/"error":"access was denied \(EACCES, [^)]*formstead\.db-wal\)\. Make DATA_DIR and/);
  expect(await readiness(server)).toBe('503 Not ready. database: not writable; disk: DATA_DIR is not writable.');
  chmodSync(dataDir, 0o700);
  await server.end();
});

test('is never ready again once pages of the database are damaged, and all name the remedy', async () => {
  const dataDir = newInstance();
  const { form } = await createTeamWithForm(dataDir);
  const first = await spawnServer(dataDir);
  for (let n = 0; n < 5; n++) expect((await post(first.url, form.id, 'x'.repeat(10_000))).status).toBe(200);
  expect(await first.end()).toBe(0);
  const server = await spawnServer(dataDir);
  const path = join(dataDir, 'formstead.db');
  const pages = readFileSync(path);
  // Leaves the schema, whose last page is behind those of tables.
  for (let at = PAGE * 60; at < pages.length; at += PAGE) {
    const page = pages.subarray(at, at + PAGE);
    if (!page.includes('CREATE ')) page.fill(0x5a);
  }
  const file = openSync(path, 'r+');
  writeSync(file, pages);
  closeSync(file);
  await untilReadiness(server, '503 Not ready. database: damaged; restore a backup.');
  await untilReadiness(server, '503 Not ready. database: damaged; restore a backup.');
  const RESTORE = /Stop the server, keep a copy of the data directory, and restore a backup/;
  expect(server.stdout().match(/"message":"the database is damaged","error":"[^"]*malformed\. .*/g)).toHaveLength(1);
  expect(server.stdout()).toMatch(RESTORE);
  await server.end('SIGKILL');
  for (const command of [
    ['vault', 'check'],
    ['submission', 'export', '--form', form.id],
  ]) {
    const { code, stderr } = await run(dataDir, command);
    expect([command, code]).toEqual([command, 1]);
    expect(stderr).toMatch(RESTORE);
  }
});
