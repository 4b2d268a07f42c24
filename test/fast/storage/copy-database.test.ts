import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { copyDatabase } from '../../../src/storage/sqlite/copy-database.ts';
import { temporaryDir } from '../../support/instance.ts';

const dir = temporaryDir();
afterAll(() => rmSync(dir, { recursive: true }));

/** Creates a database in which every transaction writes the same number into two tables. */
function book(name: string): string {
  mkdirSync(join(dir, name));
  const path = join(dir, name, 'book.db');
  using database = new Database(path);
  database.run('PRAGMA journal_mode = WAL');
  database.run('CREATE TABLE debit (n INTEGER); CREATE TABLE credit (n INTEGER)');
  database.run('INSERT INTO debit VALUES (1); INSERT INTO credit VALUES (1)');
  return path;
}

function read(path: string) {
  using copy = new Database(path, { readonly: true });
  const count = (table: string) => copy.query<{ n: number }, []>(`SELECT count(*) n FROM ${table}`).get()?.n ?? 0;
  expect(copy.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  return { debit: count('debit'), credit: count('credit') };
}

describe('a copy of the database', () => {
  test('is a consistent snapshot while another process writes, readable by its owner only', async () => {
    const path = book('busy');
    const writer = Bun.spawn(['bun', '-e', WRITE_ON, path], { stdout: 'pipe' });
    await writer.stdout.getReader().read();
    const counts = ['one.db', 'two.db', 'three.db'].map((name) => {
      const to = join(dir, 'busy', name);
      copyDatabase(path, to);
      expect(statSync(to).mode & 0o777).toBe(0o600);
      return read(to);
    });
    expect(writer.exitCode).toBeNull();
    writer.kill();
    await writer.exited;
    expect(counts.map(({ debit, credit }) => debit - credit)).toEqual([0, 0, 0]);
    expect(counts[0]?.debit).toBeGreaterThan(1);
  });

  test('replaces an earlier copy', () => {
    const path = book('again');
    const to = join(dir, 'again', 'copy.db');
    writeFileSync(to, 'an earlier copy');
    copyDatabase(path, to);
    expect(read(to)).toEqual({ debit: 1, credit: 1 });
    expect(readdirSync(join(dir, 'again')).sort()).toEqual(['book.db', 'copy.db']);
  });

  test('is refused without enough disk space', () => {
    const path = book('large');
    const { bavail, bsize } = statfsSync(dir);
    grow(path, bavail * bsize + 2 ** 30);
    expect(() => copyDatabase(path, join(dir, 'large', 'copy.db'))).toThrow(
      /not enough disk space for \S+copy\.db: it needs \d+ MB, and \d+ MB are free\. Free some space first/,
    );
    expect(readdirSync(join(dir, 'large'))).not.toContainEqual(expect.stringContaining('copy'));
  });

  test('that fails leaves no file and reports the reason', () => {
    const path = join(dir, 'damaged.db');
    writeFileSync(path, 'no database at all '.repeat(300));
    expect(() => copyDatabase(path, join(dir, 'copy.db'))).toThrow(/cannot copy .*damaged\.db.* not a database/);
    expect(() => copyDatabase(book('nowhere'), join(dir, 'missing', 'copy.db'))).toThrow(/cannot copy .*ENOENT/);
    expect(readdirSync(dir)).not.toContainEqual(expect.stringContaining('copy'));
  });
});

/** Enlarges a database with a sparse file and a page count in its header, without using disk space. */
function grow(path: string, bytes: number): void {
  const pages = Math.ceil(bytes / 4096);
  const database = new Database(path);
  database.run('PRAGMA journal_mode = DELETE');
  database.close();
  const head = readFileSync(path);
  head.writeUInt32BE(pages, 28);
  writeFileSync(path, head);
  truncateSync(path, pages * 4096);
}

const WRITE_ON = `
const { Database } = require('bun:sqlite');
const database = new Database(process.argv.at(-1));
database.run('PRAGMA busy_timeout = 5000');
for (let n = 2; ; n++) {
  database.transaction(() => {
    database.run('INSERT INTO debit VALUES (?)', [n]);
    database.run('INSERT INTO credit VALUES (?)', [n]);
  })();
  if (n === 10) process.stdout.write('writing');
}
`;
