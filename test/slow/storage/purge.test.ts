import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Prng } from '../../../.ci/fuzz/prng.ts';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { purgeStore } from '../../../src/storage/sqlite/purge.ts';
import { toDb, UnitQueue } from '../../../src/storage/sqlite/units.ts';

const dir = mkdtempSync(join(tmpdir(), 'formstead-purge-'));
afterAll(() => rmSync(dir, { recursive: true }));

const CHANGES = 3_000;
/** The changes of the test that writes during purges. */
const BUSY_CHANGES = 800;
const PER_TRANSACTION = 40;
/** Seed with which SQLite leaves copies of deleted rows, with secure_delete too. */
const SEED = 4;

/** Prints the number of 16-byte pieces from a file that the database or its log contain. */
const SEARCH_SCRIPT = `
const { existsSync, readFileSync } = require('node:fs');
const [database, list] = process.argv.slice(-2);
const sought = readFileSync(list);
const pieces = new Set();
const beginnings = new Uint8Array(2 ** 24);
for (let at = 0; at < sought.length; at += 16) {
  pieces.add(sought.latin1Slice(at, at + 16));
  beginnings[sought.readUIntLE(at, 3)] = 1;
}
let count = 0;
for (const file of [database, database + '-wal'].filter(existsSync)) {
  const bytes = readFileSync(file);
  for (let at = 0; at + 16 <= bytes.length; at++) {
    const isBeginning = beginnings[bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16)];
    if (isBeginning && pieces.has(bytes.latin1Slice(at, at + 16))) count += 1;
  }
}
process.stdout.write(String(count));
`;

type Row = Readonly<{ key: string; body: Buffer }>;

/** Creates a database of tables with seeded random rows, whose bodies can fill overflow pages and whose keys are indexed. */
function randomRows(name: string, secureDelete: 'ON' | 'OFF') {
  const path = join(dir, name);
  const db = openDatabase(path);
  const { $client } = db;
  $client.run('PRAGMA busy_timeout = 0');
  $client.run('PRAGMA synchronous = OFF');
  $client.run(`PRAGMA secure_delete = ${secureDelete}`);
  $client.run('CREATE TABLE numbered (id INTEGER PRIMARY KEY, key TEXT UNIQUE, body BLOB)');
  $client.run('CREATE TABLE keyed (key TEXT PRIMARY KEY, body BLOB) WITHOUT ROWID');
  const insert = [
    $client.query<null, [number, string, Uint8Array]>('INSERT INTO numbered VALUES (?, ?, ?)'),
    $client.query<null, [string, Uint8Array]>('INSERT INTO keyed VALUES (?, ?)'),
  ] as const;
  const update = [
    $client.query<null, [Uint8Array, number]>('UPDATE numbered SET body = ? WHERE id = ?'),
    $client.query<null, [Uint8Array, string]>('UPDATE keyed SET body = ? WHERE key = ?'),
  ] as const;
  const remove = [
    $client.query<null, [number]>('DELETE FROM numbered WHERE id = ?'),
    $client.query<null, [string]>('DELETE FROM keyed WHERE key = ?'),
  ] as const;
  const rows = new Map<number, Row>();
  const deleted: Buffer[] = [];
  const random = new Prng(SEED);
  const newBody = () => random.bytes(random.pick([20, 100, 400, 400, 2_000, 8_000]) + random.below(400));
  const short = (body: Buffer) => body.subarray(0, 3_000);

  const change = () => {
    const kind = random.below(10);
    if (kind < 5 || rows.size < 50) {
      const [id, key, body] = [random.below(1e9), random.bytes(16).toString('hex'), newBody()];
      if (rows.has(id)) return;
      insert[0].run(id, key, body);
      insert[1].run(key, short(body));
      rows.set(id, { key, body });
      return;
    }
    const [id, row] = [...rows][random.below(rows.size)] as [number, Row];
    deleted.push(row.body);
    if (kind < 7) {
      const body = kind === 5 ? random.bytes(row.body.length) : newBody();
      update[0].run(body, id);
      update[1].run(short(body), row.key);
      rows.set(id, { ...row, body });
    } else {
      deleted.push(Buffer.from(row.key));
      remove[0].run(id);
      remove[1].run(row.key);
      rows.delete(id);
    }
  };
  const units = new UnitQueue();
  const changeSome = (count: number) =>
    units.retryWhileBusy(() => $client.transaction(() => void Array.from({ length: count }, change)).immediate());

  return {
    path,
    ...purgeStore(db, toDb(db), Date.now, units),
    changeSome,
    fill: async (changes = CHANGES) => {
      for (let left = changes; left > 0; left -= PER_TRANSACTION) await changeSome(PER_TRANSACTION);
    },
    truncateLog: () => void $client.run('PRAGMA wal_checkpoint(TRUNCATE)'),
    /** Returns a function that counts the pieces of all rows deleted until now. */
    traces: () => {
      const pieces = deleted.flatMap((bytes) =>
        Array.from({ length: Math.floor(bytes.length / 16) }, (_, index) =>
          bytes.subarray(16 * index, 16 * index + 16),
        ),
      );
      return async () => {
        const list = `${path}.pieces`;
        writeFileSync(list, Buffer.concat(pieces));
        const child = Bun.spawn([process.execPath, '-e', SEARCH_SCRIPT, path, list], { stdout: 'pipe' });
        return Number(await new Response(child.stdout).text());
      };
    },
    expectIntact: () => {
      const [check] = $client.query<{ integrity_check: string }, []>('PRAGMA integrity_check').all();
      expect(check?.integrity_check).toBe('ok');
      const read = $client.query<Row, [number]>('SELECT key, body FROM numbered WHERE id = ?');
      const readKeyed = $client.query<Pick<Row, 'body'>, [string]>('SELECT body FROM keyed WHERE key = ?');
      for (const [id, { key, body }] of rows) {
        const found = read.get(id);
        expect([found?.key, body.equals(found?.body ?? Buffer.of())]).toEqual([key, true]);
        expect(short(body).equals(readKeyed.get(key)?.body ?? Buffer.of())).toBe(true);
      }
    },
    end: () => $client.close(),
  };
}

for (const secureDelete of ['ON', 'OFF'] as const) {
  test(`a purge leaves no copies of deleted rows and keys in any page, with secure_delete ${secureDelete}`, async () => {
    const table = randomRows(`${secureDelete}.db`, secureDelete);
    await table.fill();
    table.truncateLog();
    const traces = table.traces();
    // The control: SQLite leaves a few copies even with secure_delete, the same ones each time.
    expect(await traces()).toBeGreaterThan(secureDelete === 'ON' ? 0 : 1_000);
    expect(await table.methods.purge()).toBeNull();
    expect(await traces()).toBe(0);
    table.expectIntact();
    // Pages that this connection read before the purge do not come back.
    await table.fill();
    table.truncateLog();
    expect(await traces()).toBe(0);
    table.expectIntact();
    table.end();
    table.close();
  });
}

test('a purge leaves no copies while rows are written and the log is checkpointed', async () => {
  const table = randomRows('busy.db', 'OFF');
  await table.fill(BUSY_CHANGES);
  const reader = new Database(table.path);
  let isOver = false;
  let writes = 0;
  const write = async () => {
    while (!isOver) {
      await table.changeSome(3);
      reader.query('SELECT count(*) FROM keyed').get();
      if (++writes % 3 === 0) reader.run('PRAGMA wal_checkpoint(PASSIVE)');
      await new Promise(setImmediate);
    }
  };
  for (let round = 0; round < 2; round++) {
    const traces = table.traces();
    isOver = false;
    const writing = write();
    const residue = await table.methods.purge();
    isOver = true;
    await writing;
    // A purge gives up after a second in which writers use the log, and the job runs it again.
    if (residue !== null) expect(await table.methods.purge()).toBeNull();
    expect(await traces()).toBe(0);
    await table.fill(BUSY_CHANGES);
    expect(await traces()).toBe(0);
  }
  table.expectIntact();
  reader.close();
  table.end();
  table.close();
});

test('a purge waits for readers that pin the log, says so and keeps its requests', async () => {
  const table = randomRows('pinned.db', 'ON');
  await table.methods.requestPurge();
  const reader = new Database(table.path, { readonly: true });
  reader.run('BEGIN');
  reader.query('SELECT count(*) FROM keyed').get();
  await table.changeSome(10);
  expect(await table.methods.purge()).toEqual({ reason: 'the write-ahead log is in use', until: null });
  expect(await table.methods.readPurges()).toMatchObject({ requested: 1, purged: 0 });
  reader.close();
  expect(await table.methods.purge()).toBeNull();
  expect(await table.methods.readPurges()).toMatchObject({ requested: 1, purged: 1 });
  table.end();
  table.close();
});

test('a purge changes nothing in a database whose pages it cannot tell apart', async () => {
  const table = randomRows('vacuumed.db', 'ON');
  await table.changeSome(500);
  const owner = new Database(table.path);
  owner.run('PRAGMA auto_vacuum = FULL');
  owner.run('VACUUM');
  owner.close();
  expect(await table.methods.purge()).toEqual({ reason: 'the database uses auto_vacuum', until: null });
  table.expectIntact();
  table.end();
  table.close();
});

test('a purge stops when it is aborted', async () => {
  const table = randomRows('aborted.db', 'ON');
  expect(await table.methods.purge(AbortSignal.abort())).toEqual({ reason: 'the server stops', until: null });
  await table.changeSome(10);
  table.end();
  table.close();
});
