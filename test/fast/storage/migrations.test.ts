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
  '0000_first.sql': 'a1ccd483cf190b289baedd932ecfacc8f2b4aa925b834cbf941f419db58137c8',
  'postgres/0000_first.sql': '9b391f5fb9028fcc501c2a28795e0eb31cef3da22d224058f2e295e03edd1598',
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
