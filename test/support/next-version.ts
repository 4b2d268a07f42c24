import { join } from 'node:path';
import { plugin } from 'bun';
import type { Program } from './process.ts';

/**
 * The next version of the program: this source with a second migration for both databases. Preloaded, this file adds it
 * to the lists of migrations.
 */

/** The name of the made-up migration. */
export const SECOND = '0001_second';

/** Adds a column, and takes a while by copying the mails. */
const SQL = 'CREATE TABLE mails AS SELECT * FROM outbox; DROP TABLE mails; ALTER TABLE teams ADD motto text';

/** Returns the program of the next version. */
export const nextVersion = (): Program => ({
  command: ['bun', '--preload', import.meta.path, join(import.meta.dir, '../../src/main.ts')],
});

plugin({
  name: 'next version',
  setup: ({ onLoad }) => {
    onLoad({ filter: /storage\/(sqlite|postgres)\/migrations\.ts$/ }, async ({ path }) => {
      const source = await Bun.file(path).text();
      const contents = source.replace(`['0000_first', first]`, (row) => `${row}, ['${SECOND}', '${SQL}']`);
      if (contents === source) throw new Error(`No list of migrations in ${path}.`);
      return { contents, loader: 'ts' };
    });
  },
});
