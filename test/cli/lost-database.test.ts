import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, loadSecrets } from '../../src/config/config.ts';
import { openContext } from '../../src/context/context.ts';
import { sweepJob } from '../../src/jobs/sweep.ts';
import { backdate } from '../support/database-file.ts';
import { emptyDatabase, withClient } from '../support/postgres.ts';
import { formstead, spawnServer } from '../support/process.ts';
import { type S3Server, startS3 } from '../support/s3.ts';
import { createDir, createTeamWithForm, dataDirs, instances, json, refused, run } from './command-line.ts';

const fresh = dataDirs();
const newInstance = instances();

const PORT = { PORT: '0' };
const KEY = { ENCRYPTION_KEY: '07'.repeat(32) };

/** Creates an instance with these settings and returns its data directory. */
async function createInstance(dataDir: string, env: Record<string, string>): Promise<string> {
  await json(dataDir, ['init'], env);
  return dataDir;
}

const filesIn = (dataDir: string) => readdirSync(join(dataDir, 'files')).sort();

/** Posts a submission with two files to a new form of an instance, and stops its server. */
async function postFiles(dataDir: string, env: Record<string, string> = {}): Promise<void> {
  const { form } = await createTeamWithForm(dataDir, env);
  const server = await spawnServer(dataDir, env);
  const body = new FormData();
  for (const name of ['one', 'two']) body.append(name, new File([name.repeat(100)], `${name}.txt`));
  const answer = await fetch(`${server.url}/v1/forms/${form.id}/submissions`, { method: 'POST', body });
  expect(answer.status).toBe(200);
  expect(await server.end()).toBe(0);
}

/** Makes all files three hours old, so that a sweep would take them. */
function age(dataDir: string): void {
  const then = Date.now() / 1000 - 3 * 3600;
  for (const name of filesIn(dataDir)) utimesSync(join(dataDir, 'files', name), then, then);
}

let original: string;
beforeAll(async () => {
  original = newInstance();
  await postFiles(original, { ...PORT });
  age(original);
});

/** Returns a copy of the instance, whose files must stay. */
function copy(): string {
  const dataDir = fresh();
  cpSync(original, dataDir, { recursive: true, preserveTimestamps: true });
  return dataDir;
}

function removeDatabase(dataDir: string): void {
  for (const name of readdirSync(dataDir)) if (name.startsWith('formstead.db')) rmSync(join(dataDir, name));
}

/** What may happen to the database of an instance with files. */
const LOSSES: Readonly<Record<string, (dataDir: string) => void>> = {
  'a missing database': removeDatabase,
  'an empty database': (dataDir) => {
    removeDatabase(dataDir);
    writeFileSync(join(dataDir, 'formstead.db'), '');
  },
  'neither database nor key': (dataDir) => {
    removeDatabase(dataDir);
    rmSync(join(dataDir, 'encryption.key'));
  },
  'the key and the id of a bucket': (dataDir) => {
    removeDatabase(dataDir);
    rmSync(join(dataDir, 'files'), { recursive: true });
    mkdirSync(join(dataDir, 'files'));
    writeFileSync(join(dataDir, 's3-writer'), '0123abcd\n');
  },
};

describe.each(Object.entries(LOSSES))('a data directory with %s', (_, lose) => {
  test('is refused by serve and init, with the way out, and stays as it is', async () => {
    const dataDir = copy();
    lose(dataDir);
    const content = () => [
      readdirSync(dataDir)
        .filter((name) => name !== 'server.lock')
        .sort(),
      filesIn(dataDir),
    ];
    const before = content();
    const says = refused(/has .*, but .*database.*restore formstead\.db from a backup.*an empty directory/);
    expect(await formstead(dataDir, ['serve'], PORT)).toEqual(says);
    expect(await run(dataDir, ['init'])).toEqual(says);
    const { stderr } = await run(dataDir, ['init']);
    expect(await run(dataDir, ['team', 'list'])).toEqual({ code: 1, stdout: '', stderr });
    const doctor = await run(dataDir, ['doctor', '--json']);
    const findings = JSON.parse(doctor.stdout) as Array<{ check: string; message: string }>;
    expect([doctor.code, findings.at(-1)]).toMatchObject([
      1,
      { check: 'start', message: stderr.replace(/^formstead: |\n$/g, '') },
    ]);
    expect(content()).toEqual(before);
  });
});

test('an empty database is neither called intact nor filled by doctor', async () => {
  const dataDir = copy();
  LOSSES['an empty database']?.(dataDir);
  expect((await run(dataDir, ['doctor'])).stdout).not.toContain('intact');
  expect(statSync(join(dataDir, 'formstead.db')).size).toBe(0);
});

test('a database that was cut off is refused, and no file is removed', async () => {
  const dataDir = copy();
  truncateSync(join(dataDir, 'formstead.db'), 4096);
  expect((await formstead(dataDir, ['serve'], PORT)).code).toBe(1);
  expect(filesIn(dataDir)).toEqual(filesIn(original));
});

test('a key alone is refused by serve, and taken into a new instance by init', async () => {
  const dataDir = createDir(fresh());
  cpSync(join(original, 'encryption.key'), join(dataDir, 'encryption.key'));
  expect(await formstead(dataDir, ['serve'], PORT)).toEqual(refused(/an encryption key, but no database/));
  expect(await run(dataDir, ['team', 'list'])).toEqual(refused(/formstead init/));
  expect((await run(dataDir, ['init'])).code).toBe(0);
  expect((await run(dataDir, ['vault', 'check'])).code).toBe(0);
});

/** Starts and stops a server, whose first sweep that may cut short, and sweeps once to the end. */
async function serveAndSweep(dataDir: string, env: Record<string, string>): Promise<void> {
  const server = await spawnServer(dataDir, env);
  expect(await server.end()).toBe(0);
  const settings = { ...env, DATA_DIR: dataDir };
  const secrets = loadSecrets(settings, () => '');
  const context = await openContext({ config: loadConfig(settings), secrets, writeLog: () => {}, prettyLog: false });
  await sweepJob(context).step(new AbortController().signal);
  await context.close();
}

describe('the files of an instance stay while its server runs', () => {
  test('with the database of another, new instance under the same key', async () => {
    const dataDir = await createInstance(fresh(), KEY);
    await postFiles(dataDir, { ...KEY, ...PORT });
    age(dataDir);
    const other = await createInstance(fresh(), KEY);
    removeDatabase(dataDir);
    cpSync(join(other, 'formstead.db'), join(dataDir, 'formstead.db'));
    const before = filesIn(dataDir);
    await serveAndSweep(dataDir, KEY);
    expect(filesIn(dataDir)).toEqual(before);
  });

  test('with the database of another instance that has files, but is younger', async () => {
    const dataDir = await createInstance(fresh(), KEY);
    await postFiles(dataDir, { ...KEY, ...PORT });
    age(dataDir);
    const other = await createInstance(fresh(), KEY);
    await postFiles(other, { ...KEY, ...PORT });
    removeDatabase(dataDir);
    for (const name of readdirSync(other).filter((one) => one.startsWith('formstead.db')))
      cpSync(join(other, name), join(dataDir, name));
    const before = filesIn(dataDir);
    await serveAndSweep(dataDir, KEY);
    expect(filesIn(dataDir)).toEqual(before);
  });

  test('with a backup of the database from before the first file', async () => {
    const dataDir = await createInstance(fresh(), KEY);
    const early = fresh();
    cpSync(dataDir, early, { recursive: true });
    await postFiles(dataDir, { ...KEY, ...PORT });
    age(dataDir);
    removeDatabase(dataDir);
    cpSync(join(early, 'formstead.db'), join(dataDir, 'formstead.db'));
    const before = filesIn(dataDir);
    await serveAndSweep(dataDir, KEY);
    expect(filesIn(dataDir)).toEqual(before);
  });
});

test('swept files are brought back by files restore', async () => {
  const dataDir = copy();
  const quarantine = join(dataDir, 'files-quarantine');
  mkdirSync(quarantine);
  const before = filesIn(dataDir);
  for (const name of before) cpSync(join(dataDir, 'files', name), join(quarantine, name));
  for (const name of before) rmSync(join(dataDir, 'files', name));
  const { stdout, stderr } = await run(dataDir, ['files', 'restore', '--json']);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({ restored: before.length });
  expect(filesIn(dataDir)).toEqual(before);
  expect(readdirSync(quarantine)).toEqual([]);
});

describe('with PostgreSQL', () => {
  const tablesOf = (url: string) =>
    withClient(url, async (client) => {
      const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
      return rows.length;
    });

  let s3: S3Server;
  const bucketDir = fresh();
  beforeAll(async () => {
    s3 = await startS3(createDir(bucketDir));
  });
  afterAll(() => s3.stop());

  test.each(['doctor', 'team list', 'vault check', 'form list --team team_1'])(
    'the command %s finds no instance in an empty database, and creates nothing',
    async (command) => {
      const url = await emptyDatabase();
      const dataDir = fresh();
      const outcome = await run(dataDir, command.split(' '), { ...KEY, DATABASE_URL: url });
      expect(outcome.code).toBe(1);
      expect(outcome.stderr).toMatch(/There is no instance in postgres:.* Set DATABASE_URL/);
      expect(await tablesOf(url)).toBe(0);
      expect(() => readdirSync(dataDir)).toThrow('ENOENT');
    },
  );

  test('init makes an instance once, and commands work on a server that can only be read', async () => {
    const url = await emptyDatabase();
    const dataDir = fresh();
    const env = { ...KEY, DATABASE_URL: url };
    expect((await run(dataDir, ['init'], env)).code).toBe(0);
    expect(await run(dataDir, ['init'], env)).toEqual(refused(/already has an instance\. Set DATABASE_URL/));
    await withClient(url, (client) =>
      client.query(
        `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`,
      ),
    );
    expect((await run(dataDir, ['team', 'list'], env)).code).toBe(0);
  });

  test('a database of another program is named as such', async () => {
    const url = await emptyDatabase();
    await withClient(url, (client) => client.query('CREATE TABLE teams (id integer)'));
    const outcome = await run(fresh(), ['init'], { ...KEY, DATABASE_URL: url });
    expect(outcome).toEqual(refused(/tables of another program \(relation "teams" already exists\)/));
  });

  test('a data directory with files is refused with an empty database', async () => {
    const dataDir = copy();
    const says = refused(/the database in DATABASE_URL is empty.*set DATABASE_URL to the right database/);
    expect(await formstead(dataDir, ['serve'], { ...PORT, ...KEY, DATABASE_URL: await emptyDatabase() })).toEqual(says);
    expect(filesIn(dataDir)).toEqual(filesIn(original));
  });

  test('a move from an empty database finds no instance, and creates nothing', async () => {
    const url = await emptyDatabase();
    const args = ['move', '--to', `sqlite:${fresh()}`];
    const outcome = await run(fresh(), args, { ...KEY, DATABASE_URL: url });
    expect(outcome).toEqual(refused(/There is no instance in postgres:/));
    expect(await tablesOf(url)).toBe(0);
  });

  test('two instances that share a bucket by mistake keep the files of each other', async () => {
    const env = { ...KEY, ...PORT, ...s3.env };
    const [one, other] = [await createInstance(fresh(), KEY), await createInstance(fresh(), KEY)];
    for (const dataDir of [one, other]) {
      backdate(dataDir);
      await postFiles(dataDir, env);
    }
    const before = await s3.keys();
    const then = Date.now() / 1000 - 3 * 3600;
    for (const key of before) utimesSync(join(bucketDir, 'forms', `${key}._S3rver_object`), then, then);
    await serveAndSweep(one, env);
    expect(await s3.keys()).toEqual(before);
  });

  test('the files of a bucket stay with the database of another instance', async () => {
    const dataDir = fresh();
    const env = { ...KEY, ...PORT, ...s3.env, DATABASE_URL: await emptyDatabase() };
    await createInstance(dataDir, env);
    await postFiles(dataDir, env);
    const before = await s3.keys();
    const other = { ...env, DATABASE_URL: await emptyDatabase() };
    await createInstance(fresh(), { ...KEY, DATABASE_URL: other.DATABASE_URL });
    const outcome = await formstead(dataDir, ['serve'], other);
    expect([outcome.code, outcome.stderr]).toEqual([
      1,
      expect.stringContaining('s3-writer names the files of another database. Set DATABASE_URL'),
    ]);
    expect(await s3.keys()).toEqual(before);
  });
});
