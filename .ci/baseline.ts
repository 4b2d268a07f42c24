import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresTables } from './postgres-schema.ts';

/**
 * Writes the baseline migration of both databases from the schema and from `drizzle/triggers`: `bun run generate
 * migration`. Until 1.0.0 there is no other migration. Adds what drizzle-kit cannot declare: WITHOUT ROWID, and the
 * collation "C" of PostgreSQL's text columns.
 */

const ROOT = join(import.meta.dir, '..');

/** Writes a file that exports each table by a name of its own, as drizzle-kit expects, and returns its path. */
function exportsOf(path: string): string {
  const names = postgresTables.map((_, index) => `table${index}`);
  const file = join(mkdtempSync(join(tmpdir(), 'formstead-schema-')), 'schema.ts');
  const source = JSON.stringify(join(ROOT, path));
  writeFileSync(file, `import { postgresTables } from ${source};\nexport const [${names}] = postgresTables;\n`);
  return file;
}

const ENGINES = [
  { name: 'sqlite', dialect: 'sqlite', folder: 'drizzle', schema: 'src/storage/schema.ts' },
  { name: 'postgres', dialect: 'postgresql', folder: 'drizzle/postgres', schema: exportsOf('.ci/postgres-schema.ts') },
] as const;

for (const { name, dialect, folder, schema } of ENGINES) {
  const path = join(ROOT, folder, '0000_first.sql');
  for (const old of [path, join(ROOT, folder, 'meta')]) rmSync(old, { recursive: true, force: true });
  const flags = ['--dialect', dialect, '--schema', schema, '--out', folder, '--name=first'];
  const generator = Bun.spawn([process.execPath, 'x', 'drizzle-kit', 'generate', ...flags], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if ((await generator.exited) !== 0) process.exit(1);
  const tables = await Bun.file(path).text();
  const special =
    name === 'sqlite'
      ? tables.replace(/(CREATE TABLE `(?:counters|import_rows)`[^;]*\))/g, '$1 WITHOUT ROWID')
      : tables.replace(/^(\s*"\w+" text)\b/gm, '$1 COLLATE "C"');
  const triggers = await Bun.file(join(ROOT, `drizzle/triggers/${name}.sql`)).text();
  await Bun.write(path, `${special}--> statement-breakpoint\n${triggers}`);
}
