import type { Database } from 'bun:sqlite';
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import first from '../../../drizzle/0000_first.sql' with { type: 'text' };
import files from '../../../drizzle/0001_files.sql' with { type: 'text' };
import spam from '../../../drizzle/0002_spam.sql' with { type: 'text' };
import mail from '../../../drizzle/0003_mail.sql' with { type: 'text' };
import people from '../../../drizzle/0004_people.sql' with { type: 'text' };
import rights from '../../../drizzle/0005_rights.sql' with { type: 'text' };
import vaultRotation from '../../../drizzle/0006_vault_rotation.sql' with { type: 'text' };
import { SetupError } from '../../domain/errors.ts';
import type { Logger } from '../../lib/log.ts';
import { copyDatabase, DRAFT_ENDING } from './copy-database.ts';

/** Oldest first. The SQL is part of the program: a compiled binary has no folder to read. */
const MIGRATIONS: ReadonlyArray<readonly [name: string, sql: string]> = [
  ['0000_first', first],
  ['0001_files', files],
  ['0002_spam', spam],
  ['0003_mail', mail],
  ['0004_people', people],
  ['0005_rights', rights],
  ['0006_vault_rotation', vaultRotation],
];

/** Those of the last upgrades; their names sort by age. */
const COPIES_KEPT = 2;

/**
 * Brings the database to the schema of this program: wholly or, also if the process dies, not at all. Several processes may
 * do so at once with a new database. One that holds something is copied first, and that told to `upgradeLog`. Throws
 * `SetupError` if there is none, if the copy cannot be made, or if a newer program has been here.
 */
export function migrate(client: Database, upgradeLog: Logger | undefined): void {
  if (pendingIn(client).length === 0) return;
  // With foreign keys on, rebuilding a table would delete its children; the setting cannot change inside a transaction.
  client.run('PRAGMA foreign_keys = OFF');
  client.transaction(() => migrateAlone(client, upgradeLog)).immediate();
  client.run('PRAGMA foreign_keys = ON');
}

/** Nobody else writes meanwhile, so the copy has all that the upgrade starts from. */
function migrateAlone(client: Database, upgradeLog: Logger | undefined): void {
  const pending = pendingIn(client);
  const [first] = pending;
  if (!first) return;
  if (pending.length < MIGRATIONS.length) copyBeforeUpgrade(client.filename, first[0], upgradeLog);
  client.run('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY NOT NULL, applied_at TEXT NOT NULL)');
  for (const [name, sql] of pending) {
    client.run(sql);
    if (client.query('PRAGMA foreign_key_check').get())
      throw new SetupError(`migration ${name} would orphan rows; nothing was changed: go on with the earlier version.`);
    client.run('INSERT INTO migrations VALUES (?, ?)', [name, new Date().toISOString()]);
  }
}

/** The last one of a database that is there. Throws `SetupError` if a newer program made it. */
export function lastMigration(client: Database): string {
  pendingIn(client);
  return client.query<{ name: string }, []>('SELECT max(name) AS name FROM migrations').get()?.name ?? '';
}

function pendingIn(client: Database): typeof MIGRATIONS {
  const hasAny = client.query("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get() !== null;
  const applied = hasAny ? client.query<{ name: string }, []>('SELECT name FROM migrations ORDER BY name').all() : [];
  const unknown = applied.find(({ name }) => !MIGRATIONS.some(([known]) => known === name));
  if (unknown) {
    throw new SetupError(
      `the database was made by a newer Formstead (it has "${unknown.name}"); start that version, or restore a backup.`,
    );
  }
  return MIGRATIONS.filter(([known]) => !applied.some(({ name }) => name === known));
}

function copyBeforeUpgrade(database: string, migration: string, log: Logger | undefined): void {
  if (!log) {
    throw new SetupError(
      'the database is of an earlier Formstead, and only a server upgrades it: stop that version and start this one (formstead serve).',
    );
  }
  const copy = `${database}.before-${migration}`;
  const folder = dirname(copy);
  const copies = () => readdirSync(folder).filter((name) => name.startsWith(`${basename(database)}.before-`));
  const remove = (names: string[]) => {
    for (const name of names) rmSync(join(folder, name));
  };
  // A crash left them.
  remove(copies().filter((name) => name.includes(DRAFT_ENDING)));
  copyDatabase(database, copy);
  remove(copies().sort().slice(0, -COPIES_KEPT));
  log.info('upgrading the database; a copy was made before, which is as sensitive as the database', { copy });
}
