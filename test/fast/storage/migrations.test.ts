import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../../package.json';

const FOLDER = join(import.meta.dir, '../../../drizzle');

/**
 * The SHA-256 of each released migration by its path in `drizzle`. Databases store it: never change a line, only add one
 * for a new migration. Until 1.0.0 nothing is released, and the baseline is made anew.
 */
const FROZEN: Readonly<Record<string, string>> = {};

test('no released migration has been edited, and from 1.0.0 on each is listed', () => {
  const paths = ['0*.sql', 'postgres/0*.sql'].flatMap((glob) => Array.from(new Bun.Glob(glob).scanSync(FOLDER)).sort());
  const checksums = paths.map((path) => [
    path,
    new Bun.CryptoHasher('sha256').update(readFileSync(join(FOLDER, path))).digest('hex'),
  ]);
  const isReleased = Bun.semver.order(version, '1.0.0') >= 0;
  expect(paths.slice(0, 2)).toEqual(['0000_first.sql', 'postgres/0000_first.sql']);
  expect(isReleased ? Object.fromEntries(checksums) : {}).toEqual(FROZEN);
});
