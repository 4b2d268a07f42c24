import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyDatabase } from '../../src/storage/sqlite/copy-database.ts';
import { PASSWORD, type SignedIn, signIn } from '../fast/dashboard/signed-in.ts';
import { visitor } from '../fast/dashboard/visitor.ts';
import { namedBlock } from '../support/documents.ts';
import { type Owner, startInstance, temporaryDir } from '../support/instance.ts';
import {
  databaseIn,
  earlyMigrationSql,
  MIGRATIONS,
  makeOldDatabase,
  migrationSql,
  rowsIn,
  soundWith,
  stateOf,
} from '../support/old-database.ts';
import { formstead, type ServerProcess, spawnServer } from '../support/process.ts';
import { dataDirs, post, read, refused } from './command-line.ts';

const fresh = dataDirs();

/** A data directory of the current version, with database, key and files and without a WAL. */
const today = temporaryDir();
let owner: Owner;
let member: SignedIn;
let payloads: unknown[];
beforeAll(async () => {
  const instance = await startInstance();
  ({ owner } = instance);
  member = await signIn(instance, owner);
  await instance.post(owner.form.id, { email: 'ada@example.com', message: 'Do you repair harps?' });
  const body = new FormData();
  body.append('message', 'Here is one');
  body.append('photo', new File(['the strings of a harp'], 'harp.txt', { type: 'text/plain' }));
  await instance.post(owner.form.id, body);
  payloads = (await instance.stored(owner)).map(({ data }) => data);
  copyDatabase(databaseIn(instance.dataDir), databaseIn(today));
  for (const name of ['encryption.key', 'files'])
    cpSync(join(instance.dataDir, name), join(today, name), { recursive: true });
  await instance.stop();
});
afterAll(() => rmSync(today, { recursive: true }));

function oldDataDir(count: number, sqlOf = migrationSql): string {
  const dataDir = fresh();
  makeOldDatabase(dataDir, count, databaseIn(today), sqlOf);
  for (const name of ['encryption.key', 'files']) cpSync(join(today, name), join(dataDir, name), { recursive: true });
  return dataDir;
}

const copiesIn = (dataDir: string) => readdirSync(dataDir).filter((name) => name.includes('before'));

/** Runs the manual's commands for going back to the earlier version, with the actual name of the copy. */
async function goBack(dataDir: string): Promise<void> {
  const commands = namedBlock('revert').replace(/before-\w+/, copiesIn(dataDir)[0]?.split('.').at(-1) ?? '');
  const shell = Bun.spawn(['bash', '-euc', commands], { cwd: dirname(dataDir), stderr: 'pipe' });
  expect([await shell.exited, await shell.stderr.text()]).toEqual([0, '']);
}

const versions = MIGRATIONS.map((name, index) => ({ name, count: index + 1, next: MIGRATIONS[index + 1] }));

describe.each(versions)('a database with the migrations up to $name', ({ count, next }) => {
  test('is upgraded by a start without losing a row, and the copy can be restored', async () => {
    const dataDir = oldDataDir(count);
    const before = rowsIn(databaseIn(dataDir));
    const server = await spawnServer(dataDir);
    expect(stateOf(databaseIn(dataDir))).toEqual(soundWith(MIGRATIONS.length));
    const after = rowsIn(databaseIn(dataDir), before);
    for (const [table, rows] of before) {
      expect(rows).not.toEqual([]);
      // 0012_inbox counts the stored submissions of each day instead of the received ones.
      if (table === 'form_days') continue;
      // Each start replaces the process.
      if (table === 'instances') continue;
      // Each start updates the time in the first row of this table.
      const kept = table === 'steady_clock' ? rows.filter(({ id }) => id !== 1) : rows;
      expect([table, after.get(table)]).toEqual([table, expect.arrayContaining(kept)]);
    }
    if (before.has('submissions')) expect(miscountedDays(dataDir)).toEqual([]);
    await use(server, before.has('users'));
    expect(await server.end()).toBe(0);
    expect(server.stdout()).not.toContain('"level":"error"');

    const copies = next ? [`formstead.db.before-${next}`] : [];
    expect(copiesIn(dataDir)).toEqual(copies);
    for (const name of copies) {
      const copy = join(dataDir, name);
      expect(server.stdout()).toContain(`"copy":${JSON.stringify(copy)}`);
      expect(statSync(copy).mode & 0o777).toBe(0o600);
      await goBack(dataDir);
      expect(stateOf(databaseIn(dataDir))).toEqual(soundWith(count));
      expect(rowsIn(databaseIn(dataDir))).toEqual(before);
    }
  });
});

/** Returns the days on which the counts of the form differ from its submissions. */
function miscountedDays(dataDir: string): unknown[] {
  using database = new Database(databaseIn(dataDir), { readonly: true });
  return database
    .query(
      `SELECT form_id, created_at / 86400000000 AS day, sum(is_spam = 0) AS genuine, sum(is_spam) AS spam
       FROM submissions WHERE form_id = ? GROUP BY 1, 2 EXCEPT SELECT form_id, day, genuine, spam FROM form_days`,
    )
    .all(owner.form.id);
}

/** Posts, reads earlier submissions and signs in. */
async function use(server: ServerProcess, hasPeople: boolean): Promise<void> {
  expect((await post(server.url, owner.form.id, 'new')).status).toBe(200);
  const answer = await read(server.url, `/v1/forms/${owner.form.id}/submissions`, owner.readKey);
  const { data } = (await answer.json()) as { data: { items: Array<{ id: string; data: unknown }> } };
  expect(data.items.map((item) => item.data)).toEqual([{ name: 'new' }, ...payloads]);
  if (!hasPeople) {
    expect(server.stderr()).toContain(`${server.url}/dashboard/welcome/`);
    return;
  }
  const browser = visitor(server);
  await browser.post('/dashboard/sign-in', { email: member.user.email, password: PASSWORD });
  const page = await browser.get(`/dashboard/submissions/${data.items.at(-1)?.id}`);
  expect(await page.text()).toContain('Do you repair harps?');
}

const LAST = MIGRATIONS.at(-1) ?? '';
const FIRST_COPY = `formstead.db.before-${MIGRATIONS[1]}`;

describe('an upgrade', () => {
  test('is not done by a command, since a server of the earlier version may be running', async () => {
    const dataDir = oldDataDir(1);
    const says = refused(/from an earlier version of Formstead, .*Run "formstead serve"\./);
    expect(await formstead(dataDir, ['team', 'list'])).toEqual(says);
    expect(stateOf(databaseIn(dataDir))).toEqual(soundWith(1));
    expect(copiesIn(dataDir)).toEqual([]);
  });

  test('is done once if several servers start at the same time', async () => {
    const dataDir = oldDataDir(1);
    const outcomes = await Promise.allSettled([spawnServer(dataDir), spawnServer(dataDir), spawnServer(dataDir)]);
    const running = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    await Promise.all(running.map(({ value }) => value.end()));
    expect(running).toHaveLength(1);
    expect(stateOf(databaseIn(dataDir))).toEqual(soundWith(MIGRATIONS.length));
    expect(copiesIn(dataDir)).toEqual([FIRST_COPY]);
    expect(stateOf(join(dataDir, FIRST_COPY))).toEqual(soundWith(1));
  });

  test('does not begin if the copy fails', async () => {
    const dataDir = oldDataDir(1);
    // A non-empty folder blocks the path of the copy.
    mkdirSync(join(dataDir, FIRST_COPY, 'mine'), { recursive: true });
    const says = refused(/cannot copy the database .* to .*before-/);
    expect(await formstead(dataDir, ['serve'], { PORT: '0' })).toEqual(says);
    expect(stateOf(databaseIn(dataDir))).toEqual(soundWith(1));
    expect(copiesIn(dataDir)).toEqual([FIRST_COPY]);
  });

  test('that would break a foreign key changes nothing', async () => {
    const dataDir = oldDataDir(1);
    const database = new Database(databaseIn(dataDir));
    database.run("PRAGMA foreign_keys = OFF; UPDATE forms SET workspace_id = 'nowhere'");
    database.close();
    const { code, stdout, stderr } = await formstead(dataDir, ['serve'], { PORT: '0' });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(new RegExp(`migration ${MIGRATIONS[1]} would leave rows with missing references`)),
    ]);
    expect(stdout).toContain(FIRST_COPY);
    expect(stateOf(databaseIn(dataDir)).migrations).toEqual(MIGRATIONS.slice(0, 1));
  });

  test('keeps the copy of the previous version, and removes older and partial ones', async () => {
    const dataDir = oldDataDir(MIGRATIONS.length - 1);
    const left = ['before-0001_a', 'before-0002_b', 'before-0002_b.some.partial'];
    for (const name of left) writeFileSync(join(dataDir, `formstead.db.${name}`), '');
    await (await spawnServer(dataDir)).end();
    expect(copiesIn(dataDir).sort()).toEqual(['formstead.db.before-0002_b', `formstead.db.before-${LAST}`]);
  });
});

/** The schema without quotes, white space and the table of migrations. */
const schemaOf = (path: string) => {
  using database = new Database(path, { readwrite: true, create: false });
  return database
    .query<{ type: string; name: string; sql: string }, []>('SELECT type, name, sql FROM sqlite_schema ORDER BY name')
    .all()
    .filter(({ sql, name }) => sql && name !== 'migrations')
    .map(({ type, name, sql }) => `${type} ${name}: ${sql.replace(/[`\s]/g, '').toLowerCase()}`);
};

describe.each([6, MIGRATIONS.length])(
  'a database of commit 12ef923, whose 0005_rights was edited later, with %d migrations',
  (count) => {
    const earlyDataDir = () => oldDataDir(count, earlyMigrationSql);

    test('is the one of that commit', () => {
      const digest = new Bun.CryptoHasher('sha256').update(earlyMigrationSql('0005_rights')).digest('hex');
      expect(digest).toBe('37e1191884d5f97f4eb897a8ba5d87126bbcf52e3ab12db3e32e2bb545522a52');
    });

    test('is refused by a command in one sentence', async () => {
      const says = refused(/from an earlier version of Formstead, .*Run "formstead serve"\./);
      expect(await formstead(earlyDataDir(), ['team', 'list'])).toEqual(says);
    });

    test('is completed by a start without losing a row', async () => {
      const dataDir = earlyDataDir();
      const before = rowsIn(databaseIn(dataDir));
      const server = await spawnServer(dataDir);
      await use(server, true);
      expect(await server.end()).toBe(0);
      expect(server.stdout()).not.toContain('"level":"error"');
      expect(stateOf(databaseIn(dataDir))).toEqual(soundWith(MIGRATIONS.length));
      expect(copiesIn(dataDir)).toHaveLength(1);
      const nullable = (sql: string) =>
        sql.replace('`actor_id`textnotnull', '`actor_id`text').replace('actor_idtextnotnull', 'actor_idtext');
      expect(schemaOf(databaseIn(dataDir)).map(nullable)).toEqual(schemaOf(databaseIn(today)).map(nullable));
      const audit = rowsIn(databaseIn(dataDir)).get('audit');
      for (const row of before.get('audit') ?? [])
        expect(audit).toContainEqual({ ...row, actor_id: row.actor_id ?? row.actor ?? null });
    });
  },
);

describe('the checksums of migrations', () => {
  test('are added to a database of a version without them', async () => {
    const dataDir = oldDataDir(MIGRATIONS.length);
    expect((await formstead(dataDir, ['team', 'list', '--json'])).code).toBe(0);
    await (await spawnServer(dataDir)).end();
    expect(checksumsIn(dataDir)).toEqual(checksumsIn(today));
    expect(copiesIn(dataDir)).toEqual([]);
  });

  test('must be those of this program, for a server and for commands', async () => {
    const dataDir = oldDataDir(MIGRATIONS.length);
    await (await spawnServer(dataDir)).end();
    using database = new Database(databaseIn(dataDir));
    database.run("UPDATE migrations SET checksum = 'abc' WHERE name = '0005_rights'");
    const says = refused(
      /the migration "0005_rights" of the database differs .*abc.*Start the version that created the database, or restore a backup\./,
    );
    expect(await formstead(dataDir, ['serve'], { PORT: '0' })).toEqual(says);
    expect(await formstead(dataDir, ['team', 'list'])).toEqual(says);
  });
});

const checksumsIn = (dataDir: string) => {
  using database = new Database(databaseIn(dataDir), { readwrite: true, create: false });
  return database.query('SELECT name, checksum FROM migrations ORDER BY name').all();
};

test('several concurrent commands create one database and no copy', async () => {
  const dataDir = fresh();
  const outcomes = await Promise.all(Array.from({ length: 3 }, () => formstead(dataDir, ['init'])));
  expect(outcomes.some(({ code }) => code === 0)).toBe(true);
  expect(stateOf(databaseIn(dataDir))).toEqual(soundWith(MIGRATIONS.length));
  expect(copiesIn(dataDir)).toEqual([]);
});
