import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Generates the next migration of PostgreSQL from its schema: `bun run migration:postgres --name=…`. Text columns get the
 * collation "C", which drizzle-kit cannot declare.
 */

const ROOT = join(import.meta.dir, '..');
const FOLDER = join(ROOT, 'drizzle/postgres');

const migrations = () => readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));
const before = new Set(migrations());
const flags = ['--dialect', 'postgresql', '--schema', 'src/storage/postgres/schema.ts', '--out', 'drizzle/postgres'];
const generator = Bun.spawn([process.execPath, 'x', 'drizzle-kit', 'generate', ...flags, ...Bun.argv.slice(2)], {
  cwd: ROOT,
  stdio: ['inherit', 'inherit', 'inherit'],
});
process.exitCode = await generator.exited;
for (const name of migrations().filter((one) => !before.has(one))) {
  const file = Bun.file(join(FOLDER, name));
  const sql = await file.text();
  await file.write(sql.replace(/^(\s*(?:ALTER TABLE "\w+" ADD COLUMN )?"\w+" text)\b/gm, '$1 COLLATE "C"'));
}
