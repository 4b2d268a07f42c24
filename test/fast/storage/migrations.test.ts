import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SEALED_TABLES } from '../../../src/storage/sealed-tables.ts';

const FOLDER = join(import.meta.dir, '../../../drizzle');

/**
 * The SHA-256 of each migration of 1.0.0 by its path in `drizzle`. Databases store it: from that tag on never change a line,
 * only add one for a new migration. Before it, write here what a baseline that was made anew has.
 */
const FROZEN: Readonly<Record<string, string>> = {
  '0000_first.sql': 'b1456a25e04dabf9592ce4b9a4a0daae685b470826bac985dd95c2bb2c4131a0',
  'postgres/0000_first.sql': 'a64ffe38d966762302888f9bd7f252d9d1ddca9a01c286e6728dfa1cefbd2ca7',
};

test('no released migration has been edited, and each is listed', () => {
  const paths = ['0*.sql', 'postgres/0*.sql'].flatMap((glob) => Array.from(new Bun.Glob(glob).scanSync(FOLDER)).sort());
  const checksums = paths.map((path) => [
    path,
    new Bun.CryptoHasher('sha256').update(readFileSync(join(FOLDER, path))).digest('hex'),
  ]);
  expect(paths.slice(0, 2)).toEqual(['0000_first.sql', 'postgres/0000_first.sql']);
  expect(Object.fromEntries(checksums)).toEqual(FROZEN);
});

test('PostgreSQL refuses records under an earlier key in each sealed column', () => {
  const baseline = readFileSync(join(FOLDER, 'postgres/0000_first.sql'), 'utf8');
  const fenced = Array.from(
    baseline.matchAll(/TRIGGER "fence_records" BEFORE [^;]*? ON "(\w+)" [^;]*?"fence_records"\(([^)]*)\)/g),
    ([, table = '', columns = '']) => [table, columns.replaceAll("'", '').split(', ')],
  );
  const sealed = SEALED_TABLES.map(({ table, columns }) => [table, columns]);
  expect(Object.fromEntries(fenced)).toEqual(Object.fromEntries(sealed));
});
