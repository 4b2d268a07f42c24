import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formstead } from '../support/process.ts';
import { dataDirs, household, made, refused } from './command-line.ts';

const fresh = dataDirs();

/** Begins to read, and lets something come into the log after that. */
const READ_WITHOUT_END = `
  const { Database } = require('bun:sqlite');
  const [reader, writer] = [new Database(process.argv.at(-1)), new Database(process.argv.at(-1))];
  reader.run('BEGIN');
  reader.query('SELECT * FROM teams').all();
  writer.run("UPDATE teams SET name = 'Other'");
  console.log('reading');
  await Bun.stdin.text();
  // Still referred to: a collected one would give up its place.
  reader.close();
`;

const startsOf = (dataDir: string) =>
  Promise.all([formstead(dataDir, ['serve'], { PORT: '0' }), formstead(dataDir, ['team', 'list', '--json'])]);

function query(dataDir: string, sql: string): unknown[] {
  using database = new Database(join(dataDir, 'formstead.db'));
  return database.query(sql).all();
}

describe('a database', () => {
  test('made by a newer version is refused, and left as it is', async () => {
    const dataDir = fresh();
    await household(dataDir);
    query(dataDir, "INSERT INTO migrations VALUES ('9999_future', '2030-01-01T00:00:00Z') RETURNING name");
    const teams = query(dataDir, 'SELECT * FROM teams');
    const says = refused(/newer version of Formstead .*"9999_future".*Start that version/);
    expect(await startsOf(dataDir)).toEqual([says, says]);
    expect(await formstead(dataDir, ['team', 'create', '--name', 'New', '--json'])).toEqual(says);
    expect(query(dataDir, 'SELECT * FROM teams')).toEqual(teams);
  });

  test('that is not one is refused, and left as it is', async () => {
    const dataDir = made(fresh());
    const file = join(dataDir, 'formstead.db');
    writeFileSync(file, 'not a database, but something of mine '.repeat(200));
    const before = readFileSync(file);
    const says = refused(/database .*formstead\.db: file is not a database/);
    expect(await startsOf(dataDir)).toEqual([says, says]);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('that another process reads without end is not served, and it says so', async () => {
    const dataDir = fresh();
    await household(dataDir);
    const reader = ['bun', '-e', READ_WITHOUT_END, join(dataDir, 'formstead.db')];
    const child = Bun.spawn(reader, { stdin: 'pipe', stdout: 'pipe' });
    await child.stdout.getReader().read();
    const serving = await formstead(dataDir, ['serve'], { PORT: '0' });
    expect(serving).toEqual(refused(/another process keeps reading the database/));
    child.kill();
    await child.exited;
  });

  test('keeps all that commands made, from process to process', async () => {
    const dataDir = fresh();
    const { team, workspace, form, key } = await household(dataDir);
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
