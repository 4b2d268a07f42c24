import { afterAll, describe, expect, test } from 'bun:test';
import { getTableName } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/pg-core';
import { postgresTables } from '../../../.ci/postgres-schema.ts';
import { createLogger } from '../../../src/lib/log.ts';
import type { Db } from '../../../src/storage/database.ts';
import { connect } from '../../../src/storage/postgres/database.ts';
import {
  countMachines,
  type Durability,
  describeDurability,
  durabilityFaults,
  readDurability,
  requireDurability,
} from '../../../src/storage/postgres/durability.ts';
import { openPostgres } from '../../../src/storage/postgres/open.ts';
import { postgresStore } from '../../../src/storage/postgres/postgres-store.ts';
import { unitOfWork } from '../../../src/storage/postgres/units.ts';
import { teams } from '../../../src/storage/schema.ts';
import { describeStore } from '../../fast/storage/contract/index.ts';
import { emptyDatabase, migratedDatabase, startPostgres, withClient } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';

await describeStore({
  name: 'PostgreSQL',
  createDatabase: async () => {
    const url = await migratedDatabase();
    return async (clock, limitOf) => postgresStore(await connect(url), clock, limitOf, () => 'mail.example');
  },
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

/** Returns a logger and its lines. */
function recorder() {
  const lines: string[] = [];
  return { lines, log: createLogger({ level: 'info', isPretty: false, write: (line) => lines.push(line) }) };
}

describe('a PostgreSQL database', () => {
  test('gets its tables from several starts at once, and every text sorts bytewise', async () => {
    const url = await emptyDatabase();
    const { log, lines } = recorder();
    const opened = await Promise.all(Array.from({ length: 4 }, () => openPostgres(url, { log, mayCreate: true })));
    for (const { pool } of opened) await pool.end();
    expect(lines.filter((line) => line.includes('upgrading'))).toEqual([]);
    const { applied, columns } = await withClient(url, async (client) => ({
      applied: (await client.query('SELECT name, checksum FROM migrations ORDER BY name')).rows,
      columns: (
        await client.query(
          `SELECT DISTINCT collation_name FROM information_schema.columns
           WHERE table_schema = 'public' AND data_type = 'text' AND table_name <> 'migrations'`,
        )
      ).rows,
    }));
    expect(applied).toEqual([{ name: '0000_first', checksum: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    expect(columns).toEqual([{ collation_name: 'C' }]);
  });

  test('whose type stands in the way of a table is refused, not tried for ever', async () => {
    const url = await emptyDatabase();
    await withClient(url, (client) => client.query('CREATE TYPE migrations AS ENUM ()'));
    await expect(openPostgres(url, { mayCreate: true })).rejects.toThrow('type "migrations" already exists');
    await withClient(url, (client) => client.query('DROP TYPE migrations'));
    await (await openPostgres(url, { mayCreate: true })).pool.end();
  });

  test('has the columns that the schema declares', async () => {
    const rows = await withClient(await migratedDatabase(), (client) =>
      client.query<{ name: string }>(
        `SELECT table_name || '.' || column_name || ' ' || data_type || CASE is_nullable WHEN 'NO' THEN ' NOT NULL' ELSE '' END
           AS name
         FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations'`,
      ),
    );
    const declared = postgresTables.flatMap((table) =>
      getTableConfig(table).columns.map(
        (column) => `${getTableName(table)}.${column.name} ${column.getSQLType()}${column.notNull ? ' NOT NULL' : ''}`,
      ),
    );
    expect(rows.rows.map(({ name }) => name).sort()).toEqual(declared.sort());
  });

  test('of a newer version is used as it is, and one with an edited migration is refused', async () => {
    const url = await migratedDatabase();
    await withClient(url, (client) =>
      client.query("INSERT INTO migrations VALUES ('9999_later', '2026-01-01', 'x'); ALTER TABLE teams ADD later text"),
    );
    const { log, lines } = recorder();
    const store = postgresStore(await openPostgres(url, { log, mayCreate: true }), () => 1);
    await store.teams.create(TEAM);
    expect(await store.teams.find('t')).toEqual(TEAM);
    await store.close();
    expect(lines.some((line) => line.includes('a newer version of Formstead has upgraded the database'))).toBe(true);
    await withClient(url, (client) =>
      client.query("UPDATE migrations SET checksum = 'other' WHERE name = '0000_first'"),
    );
    await expect(openPostgres(url)).rejects.toThrow('created by another build from before 1.0.0');
  });

  test('of an earlier version is upgraded by servers only', async () => {
    const url = await emptyDatabase();
    await withClient(url, (client) =>
      client.query(`CREATE TABLE migrations (name text PRIMARY KEY, applied_at text NOT NULL, checksum text NOT NULL);
        INSERT INTO migrations VALUES ('earlier', '2026-01-01', 'x')`),
    );
    await expect(openPostgres(url)).rejects.toThrow('only a server upgrades it');
    const { log, lines } = recorder();
    await (await openPostgres(url, { log, mayCreate: true })).pool.end();
    expect(lines.some((line) => line.includes('upgrading the database'))).toBe(true);
  });

  test('that does not answer is named without its password', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const failure = await openPostgres(`postgres://ada:hunter2@${host}:1/none`).catch(String);
      expect(failure).toMatch(/cannot connect to the database in DATABASE_URL: .*ECONNREFUSED/);
      expect(failure).not.toContain('hunter2');
    }
  });
});

describe('a unit of work on PostgreSQL', async () => {
  const url = await migratedDatabase();
  const { db, pool } = await connect(url);
  afterAll(() => pool.end());
  const rename = (tx: Db, name: string) => tx.update(teams).set({ name });

  test('is repeated when a concurrent one changed what it read', async () => {
    await db.insert(teams).values(TEAM);
    let attempts = 0;
    const name = await unitOfWork(() =>
      db.transaction(async (tx) => {
        const [read] = await tx.select().from(teams);
        if (attempts++ === 0) await rename(db, 'Changed meanwhile');
        await rename(tx, `${read?.name} and again`);
        return read?.name;
      }),
    );
    expect([attempts, name]).toEqual([2, 'Changed meanwhile']);
    expect(await db.select({ name: teams.name }).from(teams)).toEqual([{ name: 'Changed meanwhile and again' }]);
  });

  test('that always loses ends as unavailable', async () => {
    const lose = unitOfWork(() =>
      db.transaction(async (tx) => {
        await tx.select().from(teams);
        await rename(db, crypto.randomUUID());
        await rename(tx, 'Lost');
      }),
    );
    await expect(lose).rejects.toMatchObject({ code: 'storage_unavailable' });
  });

  test('that breaks a constraint changes nothing, and its error has no values', async () => {
    const failed = unitOfWork(() =>
      db.transaction(async (tx) => {
        await rename(tx, 'secret');
        await tx.insert(teams).values({ ...TEAM, name: 'secret' });
      }),
    );
    const error = await failed.catch((reason: Error) => reason);
    expect(error).toMatchObject({ code: '23505', constraint: 'teams_pkey' });
    expect(Bun.inspect(error)).not.toContain('secret');
    expect(await db.select().from(teams)).not.toContainEqual(expect.objectContaining({ name: 'secret' }));
  });

  test('whose connection is lost is unavailable, and the next one works', async () => {
    const lost = unitOfWork(() =>
      db.transaction(async (tx) => {
        await rename(tx, 'Lost');
        await withClient(url, (client) =>
          client.query(
            `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()`,
          ),
        );
        await tx.select().from(teams);
      }),
    );
    await expect(lost).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(await unitOfWork(async () => db.select().from(teams))).not.toContainEqual(
      expect.objectContaining({ name: 'Lost' }),
    );
  });

  test('that stops while it holds a lock is ended by the server, and the next one gets the lock', async () => {
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const stopped = unitOfWork(() =>
      db.lockingTransaction(async (tx) => {
        await rename(tx, 'Stopped');
        locked();
        await released;
        await tx.select().from(teams);
      }),
    ).catch((error) => error.code);
    await isLocked;
    await unitOfWork(() => db.lockingTransaction((tx) => rename(tx, 'Next')));
    release();
    expect(await stopped).toBe('storage_unavailable');
    expect(await db.select({ name: teams.name }).from(teams)).toEqual([{ name: 'Next' }]);
  });
});

test('a store whose server stops is unavailable, and works again after its return', async () => {
  const server = await startPostgres();
  const store = postgresStore(await openPostgres(server.url, { mayCreate: true }), () => 1);
  await store.teams.create(TEAM);
  await store.queue.probe();
  await server.restart(async () => {
    await expect(store.teams.find('t')).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect(store.queue.probe()).rejects.toMatchObject({ code: 'storage_unavailable' });
  });
  expect(await until(() => store.teams.find('t').catch(() => null), 'the database to be back')).toEqual(TEAM);
  await store.close();
  await server.stop();
});

describe('durability', () => {
  const SAFE: Durability = {
    version: '18.1',
    versionNumber: 180_001,
    fsync: true,
    fullPageWrites: true,
    synchronousCommit: 'on',
    synchronousStandbyNames: '',
    machines: 1,
  };

  test('is read from the server and logged at the start', async () => {
    const url = await migratedDatabase();
    const read = () => withClient(url, readDurability);
    expect(await read()).toMatchObject({ fsync: true, fullPageWrites: true, synchronousCommit: 'on', machines: 1 });
    const { log, lines } = recorder();
    await (await openPostgres(url, { log, mayCreate: true })).pool.end();
    const store = postgresStore(await connect(url), () => 1);
    expect(await store.upkeep.readDurability()).toMatchObject({
      machines: 1,
      message: 'acknowledged means on 1 machine',
    });
    await store.close();
    expect(lines[0]).toMatch(/PostgreSQL \d+.*: acknowledged means on 1 machine"/);
    await withClient(url, async (client) => {
      const database = client.escapeIdentifier(new URL(url).pathname.slice(1));
      await client.query(`ALTER DATABASE ${database} SET synchronous_commit = off`);
    });
    await expect(openPostgres(url)).rejects.toThrow('synchronous_commit=off');
  });

  test('is refused with fsync=off and for versions before 15', async () => {
    const server = await startPostgres(['fsync=off']);
    await expect(openPostgres(server.url, { mayCreate: true })).rejects.toThrow('fsync=off');
    await server.stop();
    expect(() => requireDurability({ ...SAFE, version: '14.9', versionNumber: 140_009 })).toThrow('14.9 is too old');
    expect(() => requireDurability(SAFE)).not.toThrow();
  });

  test('counts the machines that a commit waits for', () => {
    for (const [names, commit, machines] of [
      ['', 'on', 1],
      ['a, b', 'on', 2],
      ['*', 'remote_apply', 2],
      ['FIRST 2 (a, b, c)', 'on', 3],
      ['any 3 (*)', 'remote_write', 4],
      ['2 (a, b)', 'on', 3],
      ['a', 'local', 1],
    ] as const) {
      expect([names, commit, countMachines(commit, names)]).toEqual([names, commit, machines]);
    }
    const two = { ...SAFE, machines: 2 };
    expect(describeDurability(two)).toBe('acknowledged means on 2 machines');
    expect(describeDurability({ ...two, synchronousCommit: 'remote_write' })).toContain('until they write it');
    expect(durabilityFaults(SAFE)).toEqual([]);
    expect(durabilityFaults({ ...SAFE, fullPageWrites: false })).toHaveLength(1);
  });
});
