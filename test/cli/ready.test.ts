import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { spawnServer } from '../support/process.ts';
import { until } from '../support/until.ts';
import { dataDirs } from './command-line.ts';

const fresh = dataDirs();

test('is not ready while the database is locked, and ready afterwards', async () => {
  const dataDir = fresh();
  const server = await spawnServer(dataDir);
  const holder = Bun.spawn(['bun', '-e', HOLD_WRITE_LOCK, join(dataDir, 'formstead.db')], {
    stdin: 'pipe',
    stdout: 'pipe',
  });
  await holder.stdout.getReader().read();
  const answer = await fetch(`${server.url}/readyz`);
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { success: false, error: 'Not ready. database: not writable.', statusCode: 503 },
  ]);
  holder.stdin.end();
  await holder.exited;
  await until(async () => (await fetch(`${server.url}/readyz`)).status === 200, 'the server to be ready');
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
