import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyDatabase } from '../../src/storage/sqlite/copy-database.ts';
import { PASSWORD, type SignedIn, signIn } from '../fast/dashboard/signed-in.ts';
import { visitor } from '../fast/dashboard/visitor.ts';
import { databaseIn, rowsIn, soundWith, stateOf } from '../support/database-file.ts';
import { namedBlock } from '../support/documents.ts';
import { type Owner, startInstance, temporaryDir } from '../support/instance.ts';
import { nextVersion, SECOND } from '../support/next-version.ts';
import { formstead, fromBinary, type ServerProcess, spawnServer } from '../support/process.ts';
import { dataDirs, json, post, type Resource, read, refused, run } from './command-line.ts';

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

function dataDirOfToday(): string {
  const dataDir = fresh();
  cpSync(today, dataDir, { recursive: true });
  return dataDir;
}

const copiesIn = (dataDir: string) => readdirSync(dataDir).filter((name) => name.includes('before'));

/** Runs the manual's commands for going back to the earlier version, with the actual name of the copy. */
async function goBack(dataDir: string): Promise<void> {
  const commands = namedBlock('revert').replace(/before-\w+/, copiesIn(dataDir)[0]?.split('.').at(-1) ?? '');
  const shell = Bun.spawn(['bash', '-euc', commands], { cwd: dirname(dataDir), stderr: 'pipe' });
  expect([await shell.exited, await shell.stderr.text()]).toEqual([0, '']);
}

/** Posts, reads earlier submissions and signs in. */
async function use(server: ServerProcess): Promise<void> {
  expect((await post(server.url, owner.form.id, 'new')).status).toBe(200);
  const answer = await read(server.url, `/v1/forms/${owner.form.id}/submissions`, owner.readKey);
  const { data } = (await answer.json()) as { data: { items: Array<{ id: string; data: unknown }> } };
  expect(data.items.map((item) => item.data)).toEqual([{ name: 'new' }, ...payloads]);
  const browser = visitor(server);
  await browser.post('/dashboard/sign-in', { email: member.user.email, password: PASSWORD });
  const page = await browser.get(`/dashboard/submissions/${data.items.at(-1)?.id}`);
  expect(await page.text()).toContain('Do you repair harps?');
}

const COPY = `formstead.db.before-${SECOND}`;

describe('an upgrade', () => {
  test('is done by a start without losing a row, and the copy can be restored', async () => {
    const dataDir = dataDirOfToday();
    const before = rowsIn(databaseIn(dataDir));
    const server = await spawnServer(dataDir, {}, nextVersion());
    expect(stateOf(databaseIn(dataDir))).toEqual(soundWith(SECOND));
    const after = rowsIn(databaseIn(dataDir), before);
    for (const [table, rows] of before) {
      // Each start replaces the process.
      if (table === 'instances') continue;
      // Each start updates the time in the first row of this table.
      if (rows.length === 0) continue;
      const kept = table === 'steady_clock' ? rows.filter(({ id }) => id !== 1) : rows;
      expect([table, after.get(table)]).toEqual([table, expect.arrayContaining(kept)]);
    }
    await use(server);
    expect(await server.end()).toBe(0);
    expect(server.stdout()).not.toContain('"level":"error"');
    const copy = join(dataDir, COPY);
    expect(copiesIn(dataDir)).toEqual([COPY]);
    expect(server.stdout()).toContain(`"copy":${JSON.stringify(copy)}`);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    await goBack(dataDir);
    expect(stateOf(databaseIn(dataDir))).toEqual(soundWith());
    expect(rowsIn(databaseIn(dataDir))).toEqual(before);
    const earlier = await spawnServer(dataDir);
    await use(earlier);
    await earlier.end();
  });

  test('is not done by a command, since a server of the earlier version may be running', async () => {
    const dataDir = dataDirOfToday();
    const says = refused(/from an earlier version of Formstead, .*Run "formstead serve"\./);
    expect(await formstead(dataDir, ['team', 'list'], {}, nextVersion())).toEqual(says);
    expect(stateOf(databaseIn(dataDir))).toEqual(soundWith());
    expect(copiesIn(dataDir)).toEqual([]);
  });

  test('is done once if several servers start at the same time', async () => {
    const dataDir = dataDirOfToday();
    const start = () => spawnServer(dataDir, {}, nextVersion());
    const outcomes = await Promise.allSettled([start(), start(), start()]);
    const running = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    await Promise.all(running.map(({ value }) => value.end()));
    expect(running).toHaveLength(1);
    expect(stateOf(databaseIn(dataDir))).toEqual(soundWith(SECOND));
    expect(copiesIn(dataDir)).toEqual([COPY]);
    expect(stateOf(join(dataDir, COPY))).toEqual(soundWith());
  });

  test('does not begin if the copy fails', async () => {
    const dataDir = dataDirOfToday();
    // A non-empty folder blocks the path of the copy.
    mkdirSync(join(dataDir, COPY, 'mine'), { recursive: true });
    const says = refused(/cannot copy the database .* to .*before-/);
    expect(await formstead(dataDir, ['serve'], { PORT: '0' }, nextVersion())).toEqual(says);
    expect(stateOf(databaseIn(dataDir))).toEqual(soundWith());
    expect(copiesIn(dataDir)).toEqual([COPY]);
  });

  test('that would break a foreign key changes nothing', async () => {
    const dataDir = dataDirOfToday();
    const database = new Database(databaseIn(dataDir));
    database.run("PRAGMA foreign_keys = OFF; UPDATE forms SET workspace_id = 'nowhere'");
    database.close();
    const { code, stdout, stderr } = await formstead(dataDir, ['serve'], { PORT: '0' }, nextVersion());
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(new RegExp(`migration ${SECOND} would leave rows with missing references`)),
    ]);
    expect(stdout).toContain(COPY);
    expect(stateOf(databaseIn(dataDir)).migrations).toEqual(soundWith().migrations);
  });

  test('keeps the copy of the previous version, and removes older and partial ones', async () => {
    const dataDir = dataDirOfToday();
    const left = ['before-0000_a', 'before-0000_b', 'before-0000_b.some.partial'];
    for (const name of left) writeFileSync(join(dataDir, `formstead.db.${name}`), '');
    await (await spawnServer(dataDir, {}, nextVersion())).end();
    expect(copiesIn(dataDir).sort()).toEqual(['formstead.db.before-0000_b', COPY]);
  });
});

describe('the checksums of migrations', () => {
  const mark = (dataDir: string, name: string) => {
    using database = new Database(databaseIn(dataDir));
    database.run("UPDATE migrations SET checksum = 'abc' WHERE name = ?", [name]);
  };

  test('must be those of this program, for a server and for commands', async () => {
    const dataDir = dataDirOfToday();
    await (await spawnServer(dataDir, {}, nextVersion())).end();
    mark(dataDir, SECOND);
    const says = refused(
      /the migration "0001_second" of the database differs .*abc.*Start the version that created the database, or restore a backup\./,
    );
    expect(await formstead(dataDir, ['serve'], { PORT: '0' }, nextVersion())).toEqual(says);
    expect(await formstead(dataDir, ['team', 'list'], {}, nextVersion())).toEqual(says);
  });

  test('name a database of another build from before the first release, with the way out', async () => {
    const dataDir = dataDirOfToday();
    mark(dataDir, '0000_first');
    const before = rowsIn(databaseIn(dataDir));
    const says = refused(/another build from before 1\.0\.0.*"formstead submission export .*"formstead import /);
    expect(await formstead(dataDir, ['serve'], { PORT: '0' })).toEqual(says);
    expect(await run(dataDir, ['team', 'list'])).toEqual(says);
    expect(rowsIn(databaseIn(dataDir))).toEqual(before);
  });

  test('name a way out that moves forms, webhooks and submissions, word for word', async () => {
    const dataDir = dataDirOfToday();
    const form = owner.form.id;
    const env = { HOOK: 'https://hooks.example.com/secret', SECRET: '0x4AAA' };
    const settings = ['--challenge', 'turnstile', '--challenge-secret', 'env:SECRET'];
    expect((await formstead(dataDir, ['form', 'update', form, ...settings], env)).stderr).toBe('');
    await json(dataDir, ['webhook', 'create', '--form', form, '--url', 'env:HOOK'], env);
    const [newest] = await json<Resource[]>(dataDir, ['submission', 'list', '--form', form]);
    expect((await formstead(dataDir, ['submission', 'mark', newest?.id ?? '', '--spam'])).code).toBe(0);
    const other = fresh();
    cpSync(dataDir, other, { recursive: true });
    mark(other, '0000_first');
    const { stderr } = await formstead(other, ['team', 'list']);
    const commands = Array.from(stderr.matchAll(/"formstead (.+?)"/g), ([, command = '']) => command);
    const place = dirname(other);
    const isEarlier = (command: string) => command.includes(' > ');
    const go = async (directory: string, command: string) => {
      const words = command.replaceAll('<id>', form).replace('<name>', 'Acme').split(' > ');
      const args = words[0]?.split(' ') ?? [];
      const program = { ...(await fromBinary()), cwd: place };
      const outcome = await formstead(directory, args, env, program);
      expect([command, outcome.code, outcome.stderr.replace(/^(?!formstead: ).*\n/gm, '')]).toEqual([command, 0, '']);
      if (words[1]) writeFileSync(join(place, words[1]), outcome.stdout);
    };
    for (const command of commands.filter(isEarlier)) await go(dataDir, command);
    const setup = join(place, 'forms.yaml');
    const text = await Bun.file(setup).text();
    writeFileSync(setup, text.replace('url: keep', 'url: env:HOOK').replace('secret: keep', 'secret: env:SECRET'));
    const moved = join(place, 'moved');
    for (const command of commands.filter((one) => !isEarlier(one))) await go(moved, command);
    expect((await formstead(moved, ['pull'])).stdout).toBe(text);
    const exported = async (directory: string) => {
      const args = ['submission', 'export', '--form', form, '--state', 'all', '--format', 'jsonl'];
      return (await formstead(directory, args)).stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    };
    const plain = ({ created_at, is_spam, data }: Resource) => ({ created_at, is_spam, data });
    const [genuine, spam] = (await exported(dataDir)).map(plain);
    expect([genuine?.is_spam, spam?.is_spam]).toEqual([false, true]);
    const withName = { ...spam, data: { message: 'Here is one', photo: 'harp.txt' } };
    expect((await exported(moved)).map(plain)).toEqual([genuine, withName] as never);
  });
});

test('several concurrent commands create one database and no copy', async () => {
  const dataDir = fresh();
  const outcomes = await Promise.all(Array.from({ length: 3 }, () => formstead(dataDir, ['init'])));
  expect(outcomes.some(({ code }) => code === 0)).toBe(true);
  expect(stateOf(databaseIn(dataDir))).toEqual(soundWith());
  expect(copiesIn(dataDir)).toEqual([]);
});
