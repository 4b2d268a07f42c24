import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formstead } from '../support/process.ts';
import { createDir, createTeamWithForm, dataDirs, instances, refused, run } from './command-line.ts';

const fresh = dataDirs();
const instance = instances();

/** Opens a read transaction and never ends it, while another connection writes to the WAL. */
const ENDLESS_READ = `
  const { Database } = require('bun:sqlite');
  const [reader, writer] = [new Database(process.argv.at(-1)), new Database(process.argv.at(-1))];
  reader.run('PRAGMA busy_timeout = 30000');
  reader.run('BEGIN');
  reader.query('SELECT * FROM teams').all();
  writer.run("UPDATE teams SET name = 'Other'");
  console.log('reading');
  await Bun.stdin.text();
  // Keep a reference: garbage collection would close the connection.
  reader.close();
`;

const startBoth = (dataDir: string) =>
  Promise.all([formstead(dataDir, ['serve'], { PORT: '0' }), run(dataDir, ['team', 'list'])]);

function query(dataDir: string, sql: string): unknown[] {
  using database = new Database(join(dataDir, 'formstead.db'));
  return database.query(sql).all();
}

test.each([
  ['backup', ['.', '--without-key']],
  ['restore', ['backup']],
])('%s refuses the rows of DATABASE_URL', async (command, options) => {
  const settings = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', ENCRYPTION_KEY: '07'.repeat(32) };
  const answer = await run(fresh(), [command, ...options], settings);
  expect(answer).toEqual(refused(/rows are in the database of DATABASE_URL\. Use pg_dump/));
});

test('a server on another machine is refused unless its URL says how the connection is encrypted', async () => {
  const settings = { DATABASE_URL: 'postgres://forms:hunter2@db.example.com/forms', ENCRYPTION_KEY: '07'.repeat(32) };
  const answer = await formstead(fresh(), ['serve'], settings);
  expect(answer).toEqual(refused(/DATABASE_URL leads to another machine.*sslmode=verify-full/, 78));
  const target = ['--to', 'postgres://forms@db.example.com/forms', '--files', 'disk'];
  expect(await run(instance(), ['move', ...target])).toEqual(refused(/--to leads to another machine/));
});

describe('a database', () => {
  test('of a newer version is refused and left unchanged', async () => {
    const dataDir = instance();
    await createTeamWithForm(dataDir);
    query(dataDir, "INSERT INTO migrations VALUES ('9999_future', '2030-01-01T00:00:00Z', 'x') RETURNING name");
    const teams = query(dataDir, 'SELECT * FROM teams');
    const says = refused(/newer version of Formstead .*"9999_future".*Start that version/);
    expect(await startBoth(dataDir)).toEqual([says, says]);
    expect(await run(dataDir, ['team', 'create', '--name', 'New'])).toEqual(says);
    expect(query(dataDir, 'SELECT * FROM teams')).toEqual(teams);
  });

  test('that is not a database file is refused and left unchanged', async () => {
    const dataDir = createDir(fresh());
    const file = join(dataDir, 'formstead.db');
    writeFileSync(file, 'not a database, but something of mine '.repeat(200));
    const before = readFileSync(file);
    const says = refused(/database .*formstead\.db: file is not a database\. .*restore a backup/);
    expect(await startBoth(dataDir)).toEqual([says, says]);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('with an endless reader is not served, and the error says so', async () => {
    const dataDir = instance();
    await createTeamWithForm(dataDir);
    const reader = ['bun', '-e', ENDLESS_READ, join(dataDir, 'formstead.db')];
    const child = Bun.spawn(reader, { stdin: 'pipe', stdout: 'pipe' });
    await child.stdout.getReader().read();
    const serving = await formstead(dataDir, ['serve'], { PORT: '0' });
    expect(serving).toEqual(refused(/another process keeps reading the database/));
    child.kill();
    await child.exited;
  });

  test('keeps the changes of commands across processes', async () => {
    const dataDir = instance();
    const { team, workspace, form, key } = await createTeamWithForm(dataDir);
    const list = async (what: string) =>
      JSON.parse((await formstead(dataDir, [what, 'list', '--team', team, '--json'])).stdout);
    const { secret: _, ...kept } = key;
    expect(await Promise.all(['workspace', 'form', 'key'].map(list))).toMatchObject([
      [{ id: workspace }],
      [form],
      [kept],
    ]);
  });
});
