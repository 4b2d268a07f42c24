import { afterAll, expect, test } from 'bun:test';
import { sql } from 'drizzle-orm';
import { systemClock } from '../../../src/lib/clock.ts';
import { newId } from '../../../src/lib/ids.ts';
import { connect } from '../../../src/storage/postgres/database.ts';
import { takeDatabaseLock } from '../../../src/storage/postgres/locks.ts';
import { openPostgresStore } from '../../../src/storage/postgres/open.ts';
import { namedBlock } from '../../support/documents.ts';
import { migratedDatabase, withClient } from '../../support/postgres.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { until } from '../../support/until.ts';

const url = await migratedDatabase();
const open = () => openPostgresStore(url, {}, systemClock);
const [first, second] = await Promise.all([open(), open()]);
afterAll(() => Promise.all([first.close(), second.close()]));

const process = (keyId: number) => ({ host: 'forms', pid: 1, version: '1.0.0', keyId });
const query = (sql: string, values: unknown[] = []) => withClient(url, (client) => client.query(sql, values));
const recordUnder = (keyId: number) => {
  const record = Buffer.alloc(64, 1);
  record.writeUInt32BE(keyId, 1);
  return record;
};

test('one of two processes leads, and the other after its lease ended or it left', async () => {
  expect([await first.instances.lead(), await second.instances.lead(), await first.instances.leaderlessFor()]).toEqual([
    true,
    false,
    0,
  ]);
  await query("UPDATE leases SET until = until - 65000000 WHERE name = 'leader'");
  expect(await first.instances.leaderlessFor()).toBeGreaterThan(55_000_000);
  await until(() => second.instances.lead(), 'the second process to lead');
  await until(async () => !(await first.instances.lead()), 'the first process to notice');
  expect(await first.instances.leaderlessFor()).toBe(0);
  await second.instances.leave();
  await until(() => first.instances.lead(), 'the first process to lead again');
});

test('a lease of a time before the clock went back does not last', async () => {
  await query("UPDATE leases SET holder = 'ins_dead', until = until + 3600000000 WHERE name = 'leader'");
  await until(() => second.instances.lead(), 'another process to lead');
  await second.instances.leave();
});

test('an account that may only connect stops neither upkeep nor a start', async () => {
  const asStranger = new URL(url);
  asStranger.username = `stranger_${crypto.randomUUID().slice(0, 8)}`;
  await query(`CREATE ROLE ${asStranger.username} LOGIN`);
  await withClient(asStranger.href, async (client) => {
    // The keys of "lead", "serv", "keys" and "form", and the rows that took their place.
    for (const word of ['lead', 'serv', 'keys', 'form']) {
      await client.query('SELECT pg_advisory_lock($1)', [Buffer.from(word).readInt32BE()]);
    }
    await expect(client.query('SELECT 1 FROM leases FOR UPDATE')).rejects.toThrow('permission denied');
    await expect(client.query('BEGIN; LOCK TABLE migrations IN EXCLUSIVE MODE')).rejects.toThrow('permission denied');
    const third = await openPostgresStore(url, { mayCreate: true }, systemClock);
    await third.instances.beat(process(1));
    expect(await third.instances.lead()).toBe(true);
    await third.instances.leave();
    const keys = await takeDatabaseLock(url, 'keys');
    expect(keys).not.toBeNull();
    await keys?.release();
    await third.close();
  });
  await query(`DROP ROLE ${asStranger.username}`);
});

test('the account of the manual has a database that no other account may connect to', async () => {
  const name = `shop_${crypto.randomUUID().slice(0, 8)}`;
  for (const statement of namedBlock('account').replaceAll('formstead', name).trim().split('\n'))
    await query(statement);
  await query(`CREATE ROLE stranger_${name} LOGIN`);
  const as = (account: string) =>
    Object.assign(new URL(url), { username: account, password: 'secret', pathname: `/${name}` }).href;
  await (await openPostgresStore(as(name), { mayCreate: true }, systemClock)).close();
  await expect(withClient(as(`stranger_${name}`), async () => {})).rejects.toThrow('permission denied for database');
  for (const statement of [`DATABASE ${name}`, `ROLE ${name}`, `ROLE stranger_${name}`])
    await query(`DROP ${statement}`);
});

test('a process that others declared dead claims nothing until its next beat', async () => {
  await first.instances.beat(process(1));
  await query('UPDATE instances SET seen_at = 0');
  await second.instances.beat(process(1));
  expect(await second.instances.list()).toHaveLength(1);
  await query(
    `INSERT INTO outbox (id, kind, message_id, state, failures, due_at, fence, created_at, recipient)
     VALUES ($1, 'notification', '', 'queued', 0, 0, 0, 0, 'a@x.example')`,
    [newId('mail')],
  );
  expect(await first.claims.mails(1, 60_000_000)).toEqual([]);
  await first.instances.beat(process(1));
  expect(await first.claims.mails(1, 60_000_000)).toHaveLength(1);
  expect(await second.instances.list()).toHaveLength(2);
});

test('records under an earlier key are stored while a process uses it, and refused afterwards', async () => {
  const key = (id: number) => ({ id, check: `check ${id}`, fingerprintKey: Buffer.from('f') });
  await first.vaultKeys.addFirst(key(1), 1);
  await first.vaultKeys.activate(key(2), 2);
  const respond = (keyId: number) =>
    query('INSERT INTO api_requests (id, content, response, created_at) VALUES ($1, $2, $3, 0)', [
      newId('req'),
      '',
      recordUnder(keyId),
    ]);
  await respond(1);
  await respond(2);
  await first.instances.beat(process(2));
  await second.instances.beat(process(2));
  await respond(2);
  await expect(respond(1)).rejects.toMatchObject({ code: 'FS001' });
});

test('a command gets the lock of the server only while no process is alive, and none starts meanwhile', async () => {
  expect(await takeDatabaseLock(url, 'server')).toBeNull();
  const keys = await takeDatabaseLock(url, 'keys');
  expect(await takeDatabaseLock(url, 'keys')).toBeNull();
  await keys?.release();
  await Promise.all([first.instances.leave(), second.instances.leave()]);
  const lock = await takeDatabaseLock(url, 'server');
  let hasStarted = false;
  const start = first.instances.beat(process(2)).then(() => {
    hasStarted = true;
  });
  await until(
    async () => (await query("SELECT 1 FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted")).rowCount === 1,
    'the process to wait',
  );
  expect(hasStarted).toBe(false);
  await lock?.release();
  await start;
});

test('a process that others forgot during a rotation comes back with the new key only', async () => {
  const place = await migratedDatabase();
  const { instances, vaultKeys, close } = await openPostgresStore(place, {}, systemClock);
  const ids = async () => (await instances.list()).map(({ keyId }) => keyId);
  const activate = (id: number) =>
    vaultKeys.activate({ id, check: `check ${id}`, fingerprintKey: recordUnder(id) }, id);
  await vaultKeys.addFirst({ id: 1, check: 'check 1' }, 1);
  await activate(2);
  await instances.beat(process(1));
  expect([await ids(), await instances.allSealWith(2)]).toEqual([[], true]);
  await instances.beat(process(2));
  await activate(3);
  await instances.beat(process(2));
  expect([await ids(), await instances.allSealWith(3)]).toEqual([[2], false]);
  // Silent for a while, but it may come back before another process forgets it.
  await withClient(place, (client) => client.query('UPDATE instances SET seen_at = 0'));
  expect(await instances.allSealWith(3)).toBe(false);
  await instances.beat(process(3));
  expect([await ids(), await instances.allSealWith(3)]).toEqual([[3], true]);
  await close();
});

test('connections that are lost as a transaction begins leave the pool, so that closing it ends', async () => {
  const proxy = await startTcpProxy(url);
  const postgres = await connect(proxy.url);
  proxy.stallAt('begin');
  const lost = Promise.allSettled(Array.from({ length: 3 }, () => postgres.db.transaction(async () => {})));
  await until(() => proxy.stalled() === 3, 'all transactions to begin');
  proxy.moveTo(url);
  expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  proxy.resume();
  expect(await postgres.db.transaction((tx) => tx.rows(sql`SELECT 1 AS one`))).toEqual([{ one: 1 }]);
  expect(postgres.pool.idleCount).toBe(postgres.pool.totalCount);
  await postgres.pool.end();
  proxy.stop();
});
