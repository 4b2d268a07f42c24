import { rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes the baseline migration of both databases from their schemas and from `drizzle/triggers`: `bun run migration`.
 * Until 1.0.0 there is no other migration. Adds what drizzle-kit cannot declare: WITHOUT ROWID, and the collation "C" of
 * PostgreSQL's text columns.
 */

const ROOT = join(import.meta.dir, '..');

const ENGINES = [
  { name: 'sqlite', dialect: 'sqlite', folder: 'drizzle' },
  { name: 'postgres', dialect: 'postgresql', folder: 'drizzle/postgres' },
] as const;

for (const { name, dialect, folder } of ENGINES) {
  const path = join(ROOT, folder, '0000_first.sql');
  for (const old of [path, join(ROOT, folder, 'meta')]) rmSync(old, { recursive: true, force: true });
  const flags = ['--dialect', dialect, '--schema', `src/storage/${name}/schema.ts`, '--out', folder, '--name=first'];
  const generator = Bun.spawn([process.execPath, 'x', 'drizzle-kit', 'generate', ...flags], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if ((await generator.exited) !== 0) process.exit(1);
  const tables = await Bun.file(path).text();
  const special =
    name === 'sqlite'
      ? tables.replace(/(CREATE TABLE `import_rows`[^;]*\))/, '$1 WITHOUT ROWID')
      : tables.replace(/^(\s*"\w+" text)\b/gm, '$1 COLLATE "C"');
  const triggers = await Bun.file(join(ROOT, `drizzle/triggers/${name}.sql`)).text();
  await Bun.write(path, `${special}--> statement-breakpoint\n${triggers}`);
}
