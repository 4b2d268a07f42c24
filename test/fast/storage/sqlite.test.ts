import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { eq, type SQL, sql } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { forms } from '../../../src/storage/schema.ts';
import { SEALED_TABLES } from '../../../src/storage/sealed-tables.ts';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';
import { sqliteStore } from '../../../src/storage/sqlite/sqlite-store.ts';
import { opaque, toDb } from '../../../src/storage/sqlite/units.ts';
import { GENUINE, LIVE, liveQuery, newestLive } from '../../../src/storage/stores/live-submissions.ts';
import { databaseStats } from '../../../src/storage/stores/stats.ts';
import { temporaryDir } from '../../support/instance.ts';

const dir = temporaryDir();
afterAll(() => rmSync(dir, { recursive: true }));

test('opens the database in WAL mode with full synchronous commits and foreign keys', () => {
  const { $client } = openDatabase(join(dir, 'settings.db'));
  const read = (name: string) => Object.values($client.query(`PRAGMA ${name}`).get() ?? {})[0];
  expect(['journal_mode', 'synchronous', 'foreign_keys'].map(read)).toEqual(['wal', 2, 1]);
  $client.close();
});

test('migrating twice changes nothing', () => {
  const path = join(dir, 'again.db');
  const schema = () => {
    const { $client } = openDatabase(path);
    const found = $client.query('SELECT sql FROM sqlite_schema ORDER BY name').all();
    $client.close();
    return found;
  };
  expect(schema()).toEqual(schema());
});

test('the migrations produce the schema declared in code', async () => {
  const { $client } = openDatabase(join(dir, 'schema.db'));
  const tables = $client.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const { default: snapshot } = await import('../../../drizzle/meta/0000_snapshot.json');
  const names = tables.map(({ name }) => name).filter((name) => !/^(sqlite_|migrations$)/.test(name));
  expect(names.sort()).toEqual(Object.keys(snapshot.tables).sort());
  $client.close();
});

test('every blob column is registered as sealed, so that a key rotation reseals it', async () => {
  const { tables } = await import('../../../drizzle/meta/0000_snapshot.json');
  const columns = Object.values<{ name: string; columns: Record<string, { name: string; type: string }> }>(tables);
  const ofBytes = columns.flatMap(({ name, columns: all }) =>
    Object.values(all)
      .filter(({ type }) => type === 'blob')
      .map((column) => `${name}.${column.name}`),
  );
  const known = SEALED_TABLES.flatMap(({ table, columns: all }) => all.map((column) => `${table}.${column}`));
  // Each fingerprint key is sealed under the master key of its row.
  expect(ofBytes.sort()).toEqual([...known, 'vault_keys.fingerprint_key'].sort());
});

const TEAM = {
  id: 't',
  name: 'T',
  plan: 'pro',
  requiresSecondFactor: false,
  learnsSpam: true,
  setUpAt: null,
  createdAt: 1,
};

test('accepting a submission waits while another process locks the database', async () => {
  const path = join(dir, 'busy.db');
  const store = sqliteStore(
    openDatabase(path),
    () => 1,
    () => null,
  );
  await store.teams.create(TEAM);
  const holder = Bun.spawn(['bun', '-e', HOLD_FOR_A_MOMENT, path], { stdout: 'pipe' });
  await holder.stdout.getReader().read();
  await store.teams.create({ ...TEAM, id: 'u', name: 'U', createdAt: 2 });
  expect((await store.teams.list()).length).toBe(2);
  await holder.exited;
  await store.close();
});

// This process blocks while it waits for the lock, so the other process releases it after a time.
const HOLD_FOR_A_MOMENT = `
  const { Database } = require('bun:sqlite');
  const db = new Database(process.argv[1]);
  db.run('BEGIN IMMEDIATE');
  console.log('held');
  Bun.sleepSync(200);
  db.run('COMMIT');
`;

test('reading stats uses indexes and scans no table that grows with submissions or mails', () => {
  const drizzle = openDatabase(join(dir, 'plans.db'));
  const { $client } = drizzle;
  const steps = [...new Set(planOf($client, databaseStats(toDb(drizzle), 100)))];
  const walked = steps.filter((step) => step.startsWith('SCAN') && !/CONSTANT|pragma|counted|subquery/.test(step));
  expect(walked.map((step) => step.replace(/ USING.*? (\w+)$/, ' by $1')).sort()).toEqual([
    'SCAN forms by forms_id_unique',
    'SCAN outbox by mails_to_send',
    'SCAN teams by sqlite_autoindex_teams_1',
  ]);
  expect(steps.filter((step) => step.startsWith('SEARCH outbox'))).toEqual([
    expect.stringMatching(/USING COVERING INDEX mails_of_form \(form_id=\? AND state=\?\)/),
    expect.stringMatching(/USING COVERING INDEX mails_of_team \(team_id=\? AND state=\?\)/),
  ]);
  $client.close();
});

test('lists of live submissions read no more of the index than their page, and sort nothing', () => {
  const drizzle = openDatabase(join(dir, 'live-plans.db'));
  const { $client } = drizzle;
  const db = toDb(drizzle);
  const span = { form: 'f', above: 0, below: 9, limit: 5 };
  const stepsOf = (query: SQL) =>
    planOf($client, query).filter(
      (step) =>
        !/^(MERGE \(UNION ALL\)|LEFT|RIGHT|SCAN CONSTANT ROW|SCALAR SUBQUERY \d+|SEARCH f USING COVERING INDEX \S+ \(id=\?\))$/.test(
          step,
        ),
    );
  const range = '(form_key=? AND trashed_at=? AND <expr>=? AND rowid>? AND rowid<?)';
  for (const folders of [...LIVE.map((folder) => [folder]), GENUINE, LIVE]) {
    for (const order of ['ASC', 'DESC'] as const) {
      const search = `SEARCH submissions USING COVERING INDEX submissions_of_form ${range}`;
      expect(stepsOf(liveQuery(db, folders, order, span))).toEqual(folders.map(() => search));
      const columns = sql`created_at, length(payload)`;
      const withSize = liveQuery(db, folders, order, span, columns, sql`AND spam_reasons IS NOT NULL`);
      expect(stepsOf(withSize)).toEqual(folders.map(() => search.replace('COVERING ', '')));
    }
    const newest =
      'SEARCH submissions USING COVERING INDEX submissions_of_form (form_key=? AND trashed_at=? AND <expr>=?)';
    expect(stepsOf(sql`SELECT ${newestLive(db, folders, 'f')}`)).toEqual(folders.map(() => newest));
  }
  $client.close();
});

test('queries hide the values of parameters from the planner, which would compile joins again for each', () => {
  const drizzle = openDatabase(join(dir, 'parameters.db'));
  const query = toDb(drizzle).select({ id: forms.id }).from(forms).where(eq(forms.id, 'x')).limit(1);
  expect((query as unknown as { toSQL: () => { sql: string } }).toSQL().sql).toEndWith(
    'where "forms"."id" = +? limit +?',
  );
  drizzle.$client.close();
});

test('the probe fails on a disk that cannot be written', async () => {
  const db = openDatabase(join(dir, 'tried.db'));
  const store = sqliteStore(
    db,
    () => 1,
    () => null,
  );
  const { logBytes } = await store.upkeep.readStats(0);
  await store.queue.probe();
  expect((await store.upkeep.readStats(0)).logBytes).toBeGreaterThan(logBytes);
  db.$client.run('PRAGMA query_only = ON');
  await expect(store.queue.probe()).rejects.toMatchObject({ code: 'storage_unavailable' });
  db.$client.run('PRAGMA query_only = OFF');
  await store.queue.probe();
  await store.close();
});

test('the integrity check reports rows with missing references', async () => {
  const db = openDatabase(join(dir, 'astray.db'));
  const store = sqliteStore(
    db,
    () => 1,
    () => null,
  );
  db.$client.run('PRAGMA foreign_keys = OFF');
  await store.workspaces.create({ id: 'w', teamId: 'none', name: 'W', position: 0, createdAt: 1 });
  expect(await store.upkeep.checkIntegrity()).toEqual(['workspaces: 1 rows with missing references']);
  await store.close();
});

test('refuses a file that is not a database and names it', async () => {
  const path = join(dir, 'not-a.db');
  await Bun.write(path, 'this is no database, and long enough to be looked at as one would be');
  expect(() => openDatabase(path)).toThrow('not-a.db');
});

test('a full disk gives storage_unavailable until there is space again', async () => {
  const path = join(dir, 'full.db');
  const db = openDatabase(path);
  const store = sqliteStore(
    db,
    () => 1,
    () => null,
  );
  await store.teams.create(TEAM);
  const pages = new Database(path).query<{ page_count: number }, []>('PRAGMA page_count').get()?.page_count ?? 0;
  db.$client.run(`PRAGMA max_page_count = ${pages}`);
  const big = { ...TEAM, id: 'u', name: 'x'.repeat(100_000) };
  await expect(store.teams.create(big)).rejects.toMatchObject({ code: 'storage_unavailable', status: 500 });
  db.$client.run('PRAGMA max_page_count = 1000000');
  await store.teams.create(big);
  expect((await store.teams.list()).length).toBe(2);
  await store.close();
});

test('a write waits for another connection without blocking the event loop', async () => {
  const path = join(dir, 'waiting.db');
  const db = openDatabase(path);
  const store = sqliteStore(
    db,
    () => 1,
    () => null,
  );
  const other = new Database(path);
  other.run('BEGIN IMMEDIATE');
  let isDone = false;
  const pending = store.teams.create(TEAM).then(() => {
    isDone = true;
  });
  for (let turn = 0; turn < 10; turn++) await Bun.sleep(1);
  expect(isDone).toBe(false);
  expect(await store.teams.list()).toEqual([]);
  other.run('COMMIT');
  await pending;
  expect(await store.teams.list()).toEqual([TEAM]);
  other.close();
  await store.close();
});

test('a checkpoint writes back a long write-ahead log and leaves a short one', async () => {
  const db = openDatabase(join(dir, 'log.db'));
  const store = sqliteStore(
    db,
    () => 1,
    () => null,
  );
  const waiting = () => {
    const found = db.$client.query<{ log: number; checkpointed: number }, []>('PRAGMA wal_checkpoint(NOOP)').get();
    return (found?.log ?? 0) - (found?.checkpointed ?? 0);
  };
  await store.teams.create({ ...TEAM, id: 'short' });
  await store.upkeep.maintain();
  expect(waiting()).toBeGreaterThan(0);
  await store.teams.create({ ...TEAM, id: 'long', name: 'x'.repeat(5_000_000) });
  expect(waiting()).toBeGreaterThan(1_000);
  await store.upkeep.maintain();
  expect(waiting()).toBe(0);
  await store.close();
});

/** Returns the steps of the plan of a query. */
function planOf(client: Database, query: SQL): string[] {
  const { sql: text, params } = opaque(new SQLiteSyncDialect()).sqlToQuery(query);
  const steps = client.query<{ detail: string }, string[]>(`EXPLAIN QUERY PLAN ${text}`).all(...(params as string[]));
  return steps.map(({ detail }) => detail);
}
