import type { Database } from 'bun:sqlite';
import first from '../../../drizzle/0000_first.sql' with { type: 'text' };
import files from '../../../drizzle/0001_files.sql' with { type: 'text' };
import spam from '../../../drizzle/0002_spam.sql' with { type: 'text' };
import mail from '../../../drizzle/0003_mail.sql' with { type: 'text' };
import people from '../../../drizzle/0004_people.sql' with { type: 'text' };
import rights from '../../../drizzle/0005_rights.sql' with { type: 'text' };
import { SetupError } from '../../domain/errors.ts';

/** Oldest first. The SQL is part of the program: a compiled binary has no folder to read. */
const MIGRATIONS: ReadonlyArray<readonly [name: string, sql: string]> = [
  ['0000_first', first],
  ['0001_files', files],
  ['0002_spam', spam],
  ['0003_mail', mail],
  ['0004_people', people],
  ['0005_rights', rights],
];

/**
 * Brings the database to the schema of this program, each migration in a transaction of its own. Several processes may
 * do so at once. Throws `SetupError` if a newer program has been here.
 */
export function migrate(client: Database): void {
  client.run('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY NOT NULL, applied_at TEXT NOT NULL)');
  refuseNewer(client);
  // With foreign keys on, rebuilding a table would delete its children; the setting cannot change inside a transaction.
  client.run('PRAGMA foreign_keys = OFF');
  for (const [name, sql] of MIGRATIONS) client.transaction(() => apply(client, name, sql)).immediate();
  client.run('PRAGMA foreign_keys = ON');
}

function apply(client: Database, name: string, sql: string): void {
  if (client.query('SELECT 1 FROM migrations WHERE name = ?').get(name)) return;
  client.run(sql);
  if (client.query('PRAGMA foreign_key_check').get()) throw new SetupError(`migration ${name} would orphan rows`);
  client.run('INSERT INTO migrations VALUES (?, ?)', [name, new Date().toISOString()]);
}

function refuseNewer(client: Database): void {
  const known = new Set(MIGRATIONS.map(([name]) => name));
  const applied = client.query<{ name: string }, []>('SELECT name FROM migrations ORDER BY name').all();
  const unknown = applied.find(({ name }) => !known.has(name));
  if (unknown) {
    throw new SetupError(
      `the database was made by a newer Formstead (it has "${unknown.name}"); start that version, or restore a backup.`,
    );
  }
}
