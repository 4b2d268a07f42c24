import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseIn, rowsIn } from '../support/database-file.ts';
import { commandFolder, namedBlock } from '../support/documents.ts';
import { copyStopped, createFilledInstance } from '../support/filled-instance.ts';
import { type Owner, startInstance, temporaryDir } from '../support/instance.ts';
import { emptyDatabase, withClient } from '../support/postgres.ts';
import { formstead, spawnServer } from '../support/process.ts';
import { startS3, startStubS3 } from '../support/s3.ts';
import { until } from '../support/until.ts';
import { dataDirs, post, read, refused } from './command-line.ts';

const fresh = dataDirs();
const dir = temporaryDir();
const s3 = await startS3(join(dir, 's3'));

/** A stopped instance in SQLite with rows in every table. */
const filled = join(dir, 'filled');
let owner: Owner;
let key: string;
/** A stopped instance with one post. */
const usable = join(dir, 'usable');
let usableOwner: Owner;
let usableKey: string;
beforeAll(async () => {
  ({ owner, key } = await createFilledInstance(filled));
  const instance = await startInstance();
  usableOwner = instance.owner;
  await instance.post(usableOwner.form.id, { name: 'first' });
  usableKey = copyStopped(instance.dataDir, usable);
  await instance.stop();
});
afterAll(async () => {
  await s3.stop();
  rmSync(dir, { recursive: true });
});

/** Returns a copy of the filled instance. */
function copyOfFilled(): string {
  const dataDir = fresh();
  cpSync(filled, dataDir, { recursive: true });
  return dataDir;
}

/** Returns the rows of each table as sorted texts, and the counters. */
function contentOf(dataDir: string): Record<string, unknown[]> {
  const tables = [...rowsIn(databaseIn(dataDir))];
  const rows = Object.fromEntries(tables.map(([table, list]) => [table, list.map((row) => Bun.inspect(row)).sort()]));
  using database = new Database(databaseIn(dataDir), { readwrite: true, create: false });
  return { ...rows, sqlite_sequence: database.query('SELECT name, seq FROM sqlite_sequence ORDER BY name').all() };
}

function filesIn(dataDir: string): Record<string, string> {
  const folder = join(dataDir, 'files');
  const names = readdirSync(folder).sort();
  const hash = (name: string) => new Bun.CryptoHasher('sha256').update(readFileSync(join(folder, name))).digest('hex');
  return Object.fromEntries(names.map((name) => [name, hash(name)]));
}

/** Returns an empty database with an account that has a password. */
async function emptyWithPassword(): Promise<string> {
  const url = new URL(await emptyDatabase());
  url.password = 'hunter2';
  return url.href;
}

const inPostgres = (url: string) => ({ DATABASE_URL: url, ENCRYPTION_KEY: key });
const ok = { code: 0, stdout: expect.any(String), stderr: expect.stringContaining('marked as moved') };

/** Returns what `doctor` says about a move; undefined if it says nothing. */
async function moveFinding(dataDir: string, env: Record<string, string> = {}): Promise<string | undefined> {
  const { stdout } = await formstead(dataDir, ['doctor', '--json'], env);
  const findings = JSON.parse(stdout) as Array<{ check: string; state: string; message: string }>;
  return findings.find(({ check, state }) => check === 'move' && state === 'broken')?.message;
}

/** Tables whose rows stay with their database. */
const NOT_MOVED = ['leases', 'sign_in_attempts'];

test('the filled instance has rows in every table', () => {
  for (const [table, rows] of rowsIn(databaseIn(filled)))
    if (!NOT_MOVED.includes(table)) expect([table, rows.length > 0]).toEqual([table, true]);
});

describe('move', () => {
  test('to PostgreSQL and S3 and back to SQLite and disk keeps every row, counter and file', async () => {
    const dataDir = copyOfFilled();
    const [rows, files] = [contentOf(dataDir), filesIn(dataDir)];
    const url = await emptyWithPassword();
    const { S3_URL, ...credentials } = s3.env;
    const there = await formstead(dataDir, ['move', '--to', url, '--files', S3_URL, '--json'], credentials);
    expect(there).toEqual(ok);
    const shown = url.replace('hunter2', 'PASSWORD');
    const settings = [
      `DATABASE_URL=${shown}`,
      `S3_URL=${S3_URL}`,
      `ENCRYPTION_KEY_FILE=${join(dataDir, 'encryption.key')}`,
    ];
    expect(there.stderr).toEndWith(settings.map((line) => `  ${line}\n`).join(''));
    expect(there.stdout + there.stderr + readFileSync(join(dataDir, 'move.json'), 'utf8')).not.toContain('hunter2');
    const result = JSON.parse(there.stdout);
    const { sqlite_sequence: _, ...tables } = rows;
    const counts = (result.tables as Array<{ table: string; rows: number }>).map((one) => [one.table, one.rows]);
    const moved = Object.entries(tables).filter(([table]) => !NOT_MOVED.includes(table));
    expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(moved.map(([table, { length }]) => [table, length])));
    expect(result).toMatchObject({ files: 3, records: expect.any(Number) });
    expect(await s3.keys()).toEqual(Object.keys(files).map((name) => `team/files/${name}`));
    // The source is left as it was.
    expect([contentOf(dataDir), filesIn(dataDir)]).toEqual([rows, files]);

    const target = fresh();
    const env = { ...inPostgres(url), S3_URL, ...credentials };
    const back = await formstead(fresh(), ['move', '--to', `sqlite:${target}`, '--files', 'disk'], env);
    expect(back).toEqual(ok);
    expect(back.stderr).toEndWith(`  DATA_DIR=${target}\n  S3_URL=\n`);
    expect([contentOf(target), filesIn(target)]).toEqual([rows, files]);

    const server = await spawnServer(target, { ENCRYPTION_KEY: key });
    const answer = await read(server.url, `/v1/forms/${owner.form.id}/submissions`, owner.readKey);
    const { data } = (await answer.json()) as { data: { items: Array<{ data: { message: string } }> } };
    expect(data.items.map((item) => item.data.message)).toContain('Do you repair harps?');
    expect(await server.end()).toBe(0);
  });

  test('runs as in the manual', async () => {
    const [dataDir, url] = [copyOfFilled(), new URL(await emptyDatabase())];
    const bin = await commandFolder(join(dataDir, '..'));
    const shell = async (block: string, env: Record<string, string>) => {
      const commands = namedBlock(block)
        .replace('formstead@db.example.com:5432/formstead?sslmode=verify-full', `postgres@${url.host}${url.pathname}`)
        .replace(/s3:[^']*/, s3.env.S3_URL);
      const PATH = `${bin}:${Bun.env.PATH}`;
      const cwd = join(dataDir, '..');
      const child = Bun.spawn(['bash', '-euc', commands], { cwd, env: { ...s3.env, ...env, PATH }, stderr: 'pipe' });
      return [await child.exited, await child.stderr.text()];
    };
    const { S3_URL: _, ...credentials } = s3.env;
    const success = [0, expect.stringContaining('marked as moved')];
    expect(await shell('move', { ...credentials, S3_URL: '', DATA_DIR: dataDir })).toEqual(success);
    expect(await shell('move-back', { ...inPostgres(url.href), DATA_DIR: fresh() })).toEqual(success);
    const target = join(dataDir, '../data-sqlite');
    expect([contentOf(target), filesIn(target)]).toEqual([contentOf(filled), filesIn(filled)]);
  });

  test('marks the source, which refuses servers and changes until the move is undone', async () => {
    const dataDir = copyOfFilled();
    const url = await emptyWithPassword();
    expect(await formstead(dataDir, ['move', '--to', url])).toEqual(ok);
    const name = new URL(url);
    const says = refused(
      new RegExp(
        `This instance was moved to postgres://postgres@127\\.0\\.0\\.1:\\d+${name.pathname}\\. Set DATABASE_URL.*run "formstead move --undo"`,
      ),
    );
    expect(await formstead(dataDir, ['serve'], { PORT: '0' })).toEqual(says);
    expect(await formstead(dataDir, ['team', 'create', '--name', 'New'])).toEqual(says);
    expect(await formstead(dataDir, ['move', '--to', url])).toEqual(says);
    expect(await formstead(dataDir, ['team', 'list'])).toMatchObject({ code: 0 });
    expect(await moveFinding(dataDir)).toMatch(/^This instance was moved to postgres:.*run "formstead move --undo"/);
    const undone = await formstead(dataDir, ['move', '--undo']);
    expect([undone.code, undone.stderr]).toEqual([0, expect.stringContaining('Do not use postgres://')]);
    expect(undone.stdout + undone.stderr).not.toContain('hunter2');
    expect(await formstead(dataDir, ['team', 'create', '--name', 'New'])).toMatchObject({ code: 0 });
    expect(await formstead(dataDir, ['move', '--undo'])).toEqual(refused(/is not marked as moved/));
    expect(await formstead(dataDir, ['move', '--to', url])).toEqual(refused(/is not empty: teams has rows/));
  });

  test('marks a PostgreSQL source, whose tables then refuse changes of running processes', async () => {
    const url = await emptyWithPassword();
    expect(await formstead(copyOfFilled(), ['move', '--to', url])).toEqual(ok);
    const [env, target, dataDir] = [inPostgres(url), fresh(), fresh()];
    cpSync(join(filled, 'files'), join(dataDir, 'files'), { recursive: true });
    expect(await formstead(dataDir, ['move', '--to', `sqlite:${target}`], env)).toEqual(ok);
    expect(filesIn(target)).toEqual(filesIn(filled));
    await withClient(url, async (client) => {
      for (const sql of ["UPDATE teams SET name = 'x'", 'DELETE FROM outbox', 'TRUNCATE milestones']) {
        await expect(client.query(sql)).rejects.toThrow('this database was moved');
      }
    });
    const says = refused(new RegExp(`was moved to sqlite:${target}\\. Unset DATABASE_URL and set DATA_DIR`));
    expect(await formstead(dataDir, ['serve'], { PORT: '0', ...env })).toEqual(says);
    expect(await moveFinding(dataDir, env)).toMatch(/^This instance was moved to sqlite:.*Unset DATABASE_URL/);
    expect(await formstead(dataDir, ['move', '--undo'], env)).toMatchObject({ code: 0 });
    expect(await moveFinding(dataDir, env)).toBeUndefined();
    await withClient(url, (client) => client.query("UPDATE teams SET name = 'x'"));
  });

  test('keeps an instance in use: posts before, in PostgreSQL, and after', async () => {
    const [dataDir, url, target] = [fresh(), await emptyWithPassword(), fresh()];
    cpSync(usable, dataDir, { recursive: true });
    const back = { ENCRYPTION_KEY: usableKey };
    const there = { DATABASE_URL: url, ...back };
    expect(await formstead(dataDir, ['move', '--to', url])).toEqual(ok);
    const inDatabase = await spawnServer(dataDir, there);
    expect((await post(inDatabase.url, usableOwner.form.id, 'in PostgreSQL')).status).toBe(200);
    // Its key follows those that were copied.
    const create = ['form', 'create', '--workspace', usableOwner.workspaceId, '--name', 'New'];
    expect(await formstead(dataDir, create, there)).toMatchObject({ code: 0 });
    const move = ['move', '--to', `sqlite:${target}`];
    expect(await formstead(dataDir, move, there)).toEqual(refused(/A server or command uses postgres:.*Stop/));
    expect(await inDatabase.end()).toBe(0);
    expect(await formstead(dataDir, move, there)).toEqual(ok);
    expect(await formstead(dataDir, ['serve'], { PORT: '0', ...there })).toEqual(refused(/was moved to sqlite:/));
    expect(await formstead(dataDir, ['team', 'create', '--name', 'New'], there)).toEqual(
      refused(/was moved to sqlite:/),
    );
    const onDisk = await spawnServer(target, back);
    expect((await post(onDisk.url, usableOwner.form.id, 'on disk')).status).toBe(200);
    const answer = await read(onDisk.url, `/v1/forms/${usableOwner.form.id}/submissions`, usableOwner.readKey);
    const { data } = (await answer.json()) as { data: { items: Array<{ data: { name?: string } }> } };
    expect(data.items.map((item) => item.data.name)).toEqual(['on disk', 'in PostgreSQL', 'first']);
    expect((await formstead(target, ['vault', 'check'], back)).stderr).toContain(' 0 failed');
    expect(await onDisk.end()).toBe(0);
  });

  test('leaves files in place without --files', async () => {
    const dataDir = copyOfFilled();
    expect(await formstead(dataDir, ['move', '--to', await emptyDatabase()])).toEqual(ok);
    expect(filesIn(dataDir)).toEqual(filesIn(filled));
  });
});

describe('move refuses', () => {
  test('a served source and a served target', async () => {
    const dataDir = copyOfFilled();
    const url = await emptyDatabase();
    const server = await spawnServer(dataDir);
    expect(await formstead(dataDir, ['move', '--to', url])).toEqual(refused(/A server .* uses sqlite:.*Stop it/));
    await server.end();
    await withClient(url, async (client) => {
      await client.query("SET application_name = 'formstead'");
      expect(await formstead(dataDir, ['move', '--to', url])).toEqual(
        refused(/A server or command uses postgres:.*Stop/),
      );
    });
    expect(existsSync(join(dataDir, 'move.json'))).toBe(false);
  });

  test('a filled target', async () => {
    const [dataDir, url] = [copyOfFilled(), await emptyDatabase()];
    expect(await formstead(copyOfFilled(), ['move', '--to', url])).toEqual(ok);
    expect(await formstead(dataDir, ['move', '--to', url])).toEqual(
      refused(/is not empty: teams has rows\. Move to an empty/),
    );
    expect(await formstead(dataDir, ['move', '--to', `sqlite:${filled}`], inPostgres(url))).toEqual(
      refused(/is not empty/),
    );
    expect(existsSync(join(dataDir, 'move.json'))).toBe(false);
  });

  test('wrong keys, targets and options', async () => {
    const [dataDir, url] = [copyOfFilled(), await emptyDatabase()];
    const wrong = { ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('hex') };
    const move = (...args: string[]) => formstead(dataDir, ['move', ...args]);
    expect(await formstead(dataDir, ['move', '--to', url], wrong)).toEqual(refused(/does not match this database/));
    expect(await move('--to', 'mysql://a:hunter2@b/c')).toEqual(refused(/--to must be postgres:/));
    expect(await move('--to', 'postgres://')).toEqual(refused(/--to is not a complete URL/));
    expect(await move('--to', 'sqlite:/tmp/a')).toEqual(refused(/in SQLite already/));
    expect(await move('--to', url, '--files', 'ftp://a')).toEqual(refused(/--files must be s3:/));
    expect(await move('--to', url, '--files', 's3://a?region=b')).toEqual(
      refused(/--files is set but AWS_ACCESS_KEY_ID/),
    );
    const closed = await move('--to', 'postgres://ada:hunter2@127.0.0.1:1/none');
    expect(closed).toEqual(refused(/cannot connect to the database in --to: .*ECONNREFUSED/));
    expect(closed.stderr).not.toContain('hunter2');
    expect(await move()).toMatchObject({ code: 2, stderr: expect.stringContaining('either --to or --undo') });
    expect(existsSync(join(dataDir, 'move.json'))).toBe(false);
  });

  test('a damaged record, file and text by name, and marks nothing', async () => {
    const [dataDir, url] = [copyOfFilled(), await emptyDatabase()];
    const [blob = ''] = readdirSync(join(dataDir, 'files'));
    rmSync(join(dataDir, 'files', blob));
    using database = new Database(databaseIn(dataDir));
    database.run("UPDATE submissions SET payload = x'0102' WHERE created_at = 101");
    database.run("UPDATE teams SET name = 'a' || char(0) WHERE id LIKE 'teams.id 1%'");
    database.close();
    const outcome = await formstead(dataDir, ['move', '--to', url]);
    expect(outcome).toEqual(refused(/cannot be moved: .*Nothing was moved/));
    expect(outcome.stderr).toMatch(/submissions submissions\.id 1 .*: payload \(truncated\)/);
    expect(outcome.stderr).toMatch(/teams teams\.id 1 .*: name \(contains U\+0000/);
    expect(outcome.stderr).toContain(`file ${blob}: missing`);
    expect(existsSync(join(dataDir, 'move.json'))).toBe(false);
    const { rows } = await withClient(url, (client) => client.query("SELECT to_regclass('formstead_move') AS mark"));
    expect(rows).toEqual([{ mark: null }]);
  });

  test('a bucket without access, and continues with another', async () => {
    const [dataDir, url] = [copyOfFilled(), await emptyWithPassword()];
    const denied = '<Error><Code>AccessDenied</Code></Error>';
    const stub = startStubS3(({ method }) => new Response(denied, { status: method === 'PUT' ? 403 : 404 }));
    const { S3_URL, ...credentials } = stub.env;
    const outcome = await formstead(dataDir, ['move', '--to', url, '--files', S3_URL], credentials);
    expect(outcome).toEqual(refused(/Could not use the bucket.*: PUT failed with 403 AccessDenied\./));
    await stub.stop();
    expect(
      await formstead(dataDir, ['move', '--to', url, '--files', s3.env.S3_URL], { ...s3.env, S3_URL: '' }),
    ).toEqual(ok);
  });

  test('a damaged mark', async () => {
    const dataDir = copyOfFilled();
    writeFileSync(join(dataDir, 'move.json'), '{');
    expect(await formstead(dataDir, ['team', 'list'])).toEqual(refused(/move\.json is damaged/));
  });
});

/** Starts a move in a process of its own. */
async function spawnMove(dataDir: string, to: string, env: Record<string, string> = {}, options: string[] = []) {
  const { binaryOfSource } = await import('../support/binary.ts');
  return Bun.spawn([await binaryOfSource(), 'move', '--to', to, ...options], {
    env: { PATH: Bun.env.PATH ?? '', DATA_DIR: dataDir, ...env },
    stdout: 'ignore',
    stderr: 'ignore',
  });
}

describe('an interrupted move', () => {
  // The move waits at the table, which the test has locked, when it is killed; at the counters it has copied all tables.
  test.each(['teams', 'submissions', 'audit', 'vault_keys', 'counters at the end'])(
    'is refused by servers and continues after a kill at %s',
    async (table) => {
      const [dataDir, url] = [copyOfFilled(), await emptyWithPassword()];
      await prepare(url);
      await withClient(url, async (client) => {
        if (table.endsWith('end')) await blockLastStep(client);
        else await client.query(`BEGIN; LOCK TABLE "${table}" IN SHARE ROW EXCLUSIVE MODE`);
        await killWhileWaiting(dataDir, url, client);
        await (table.endsWith('end') ? unblockLastStep(client) : client.query('ROLLBACK'));
      });
      expect(await formstead(dataDir, ['serve'], { PORT: '0' })).toEqual(
        refused(/is being moved to postgres:.*again to finish/),
      );
      const says = refused(/A move from sqlite:.* into this database was interrupted\. Run the same/);
      expect(await formstead(fresh(), ['serve'], { PORT: '0', ...inPostgres(url) })).toEqual(says);
      expect(await formstead(copyOfFilled(), ['move', '--to', url])).toEqual(refused(/is marked by another move/));
      expect(await formstead(dataDir, ['move', '--to', await emptyDatabase()])).toEqual(refused(/is being moved to/));
      expect(await formstead(dataDir, ['move', '--to', url])).toEqual(ok);
      await expectSameRows(url);
    },
  );
});

test('a move to SQLite that is killed before it copies leaves no instance, and continues', async () => {
  const [dataDir, url, target] = [copyOfFilled(), await emptyDatabase(), join(fresh(), 'back')];
  expect(await formstead(dataDir, ['move', '--to', url])).toEqual(ok);
  const child = await spawnMove(dataDir, `sqlite:${target}`, inPostgres(url));
  await until(() => existsSync(databaseIn(target)) || child.exitCode !== null, 'the move to create its database');
  child.kill('SIGKILL');
  await child.exited;
  const { stderr } = await formstead(target, ['serve'], { PORT: '0', ENCRYPTION_KEY: key });
  expect(stderr).toMatch(/A move from postgres:.* was interrupted/);
  expect(await formstead(dataDir, ['move', '--to', `sqlite:${target}`], inPostgres(url))).toEqual(ok);
});

describe('a move killed', () => {
  const lock = (client: Client, table: string) => client.query(`LOCK TABLE "${table}" IN ACCESS EXCLUSIVE MODE`);

  test('between the marks of source and target continues', async () => {
    const [dataDir, url] = [copyOfFilled(), await emptyWithPassword()];
    await prepare(url);
    await withClient(url, async (first) => {
      await first.query('BEGIN');
      await first.query('LOCK TABLE vault_keys IN SHARE ROW EXCLUSIVE MODE');
      await killWhileWaiting(dataDir, url, first, async (kill) => {
        // The target has its mark by now. Only its removal at the end waits for this lock.
        await withClient(url, async (second) => {
          await second.query('BEGIN');
          await lock(second, 'formstead_move');
          await first.query('ROLLBACK');
          const isDone = () => readFileSync(join(dataDir, 'move.json'), 'utf8').includes('"isDone":true');
          await until(isDone, 'the source to be marked');
          await kill();
        });
      });
    });
    const says = refused(/A move from sqlite:.* into this database was interrupted/);
    expect(await formstead(fresh(), ['serve'], { PORT: '0', ...inPostgres(url) })).toEqual(says);
    expect(await formstead(dataDir, ['serve'], { PORT: '0' })).toEqual(refused(/This instance was moved to postgres:/));
    expect(await formstead(dataDir, ['move', '--to', url])).toEqual(ok);
    await expectSameRows(url);
  });

  test('while a file is uploaded continues', async () => {
    const [dataDir, url] = [copyOfFilled(), await emptyWithPassword()];
    const stub = startStubS3(({ method }) => (method === 'PUT' ? undefined : new Response(null, { status: 404 })));
    const { S3_URL, ...credentials } = stub.env;
    const child = await spawnMove(dataDir, url, credentials, ['--files', S3_URL]);
    await until(() => stub.requests.some(({ method }) => method === 'PUT'), 'an upload');
    child.kill('SIGKILL');
    await child.exited;
    await stub.stop();
    expect(await formstead(dataDir, ['move', '--to', url])).toEqual(ok);
    await expectSameRows(url);
  });

  test('on its way back to SQLite continues', async () => {
    const [url, target, dataDir] = [await emptyWithPassword(), fresh(), fresh()];
    expect(await formstead(copyOfFilled(), ['move', '--to', url])).toEqual(ok);
    cpSync(join(filled, 'files'), join(dataDir, 'files'), { recursive: true });
    const env = inPostgres(url);
    for (const table of ['forms', 'submissions', 'outbox']) {
      const child = await spawnMove(dataDir, `sqlite:${target}`, env);
      await until(() => child.exitCode !== null || countRows(target, table) > 0, `rows in ${table}`);
      child.kill('SIGKILL');
      await child.exited;
      const marks = [target, dataDir].map((folder) => existsSync(join(folder, 'move.json')));
      expect(marks).toEqual([true, false]);
      expect(await formstead(target, ['team', 'list'])).toEqual(refused(/A move from postgres:.*was interrupted/));
      const says = refused(/is being moved to sqlite:.*run "formstead move --undo"/);
      expect(await formstead(dataDir, ['serve'], { PORT: '0', ...env })).toEqual(says);
    }
    expect(await formstead(dataDir, ['move', '--to', `sqlite:${target}`], env)).toEqual(ok);
    expect([contentOf(target), filesIn(target)]).toEqual([contentOf(filled), filesIn(filled)]);
  });

  test('and a target that was changed meanwhile is not taken for a copy', async () => {
    const [dataDir, url] = [copyOfFilled(), await emptyWithPassword()];
    await prepare(url);
    await withClient(url, async (client) => {
      await blockLastStep(client);
      await killWhileWaiting(dataDir, url, client);
      await unblockLastStep(client);
      await client.query('UPDATE outbox SET fence = fence + 1 WHERE id = (SELECT max(id) FROM outbox)');
    });
    expect(await formstead(dataDir, ['move', '--to', url])).toEqual(
      refused(/differs from .* after the move: outbox\. Run/),
    );
    expect(JSON.parse(readFileSync(join(dataDir, 'move.json'), 'utf8'))).toMatchObject({ isDone: false });
    await withClient(url, (client) =>
      client.query('UPDATE outbox SET fence = fence - 1 WHERE id = (SELECT max(id) FROM outbox)'),
    );
    await withClient(url, (client) =>
      client.query("UPDATE submissions SET payload = payload || '\\x00' WHERE created_at = 101"),
    );
    expect(await formstead(dataDir, ['move', '--to', url])).toEqual(
      refused(/after the move: submissions .*: payload \(modified or moved\)/),
    );
    expect(await formstead(dataDir, ['move', '--undo'])).toMatchObject({ code: 0 });
    expect(await formstead(dataDir, ['team', 'create', '--name', 'New'])).toMatchObject({ code: 0 });
  });
});

/** Returns the number of rows of a table; 0 while there is no database. */
function countRows(dataDir: string, table: string): number {
  if (!existsSync(databaseIn(dataDir))) return 0;
  try {
    using database = new Database(databaseIn(dataDir), { readwrite: true, create: false });
    return database.query<{ count: number }, []>(`SELECT count(*) AS count FROM "${table}"`).get()?.count ?? 0;
  } catch {
    // The move is creating the tables.
    return 0;
  }
}

/** Creates the tables of an empty database. */
async function prepare(url: string): Promise<void> {
  const { openPostgres } = await import('../../src/storage/postgres/open.ts');
  await (await openPostgres(url, { mayCreate: true })).pool.end();
}

type Client = Parameters<Parameters<typeof withClient>[1]>[0];

/** Makes a move wait before it writes the counters, after all tables. */
async function blockLastStep(client: Client): Promise<void> {
  await client.query(`CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END'`);
  await client.query('CREATE TRIGGER wait_here BEFORE UPDATE ON migrations EXECUTE FUNCTION wait_here()');
  await client.query('SELECT pg_advisory_lock(7)');
}

async function unblockLastStep(client: Client): Promise<void> {
  await client.query('SELECT pg_advisory_unlock(7)');
  await client.query('DROP FUNCTION wait_here CASCADE');
}

/** Starts a move, and kills it once it waits for a lock, or in `meanwhile`. */
async function killWhileWaiting(
  dataDir: string,
  url: string,
  client: Client,
  meanwhile: (kill: () => Promise<unknown>) => Promise<void> = async () => {},
): Promise<void> {
  const child = await spawnMove(dataDir, url);
  const isWaiting = async () => {
    const { rows } = await client.query('SELECT 1 FROM pg_locks WHERE NOT granted');
    return rows.length > 0 || child.exitCode !== null;
  };
  await until(isWaiting, 'the move to wait for the lock');
  expect(child.exitCode).toBeNull();
  const kill = () => {
    child.kill('SIGKILL');
    return child.exited;
  };
  await meanwhile(kill);
  await kill();
}

/** Moves the database back, and compares all rows with those of the filled instance. */
async function expectSameRows(url: string): Promise<void> {
  const [target, dataDir] = [fresh(), fresh()];
  cpSync(join(filled, 'files'), join(dataDir, 'files'), { recursive: true });
  expect(await formstead(dataDir, ['move', '--to', `sqlite:${target}`], inPostgres(url))).toEqual(ok);
  expect(contentOf(target)).toEqual(contentOf(filled));
}
