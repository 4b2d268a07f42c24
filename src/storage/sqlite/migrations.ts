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
import { copyDatabase, PARTIAL_SUFFIX } from './copy-database.ts';

/** All migrations, oldest first. Their SQL is imported as text, because a compiled binary has no files to read. */
const MIGRATIONS: ReadonlyArray<readonly [name: string, sql: string]> = [
  ['0000_first', first],
  ['0001_files', files],
  ['0002_spam', spam],
  ['0003_mail', mail],
  ['0004_people', people],
  ['0005_rights', rights],
  ['0006_vault_rotation', vaultRotation],
];

/** The number of copies from before an upgrade to keep. Their names sort by age. */
const MAX_COPIES = 2;

/**
 * Applies the pending migrations in one transaction. Several processes may create a new database at once; an existing
 * one is copied first and the copy logged to `upgradeLog`. Throws `SetupError` without `upgradeLog`, if the copy fails,
 * or if a newer version has migrated the database.
 */
export function migrate(client: Database, upgradeLog: Logger | undefined): void {
  if (pendingIn(client).length === 0) return;
  // With foreign keys on, rebuilding a table would delete rows that refer to it. The setting cannot change in a
  // transaction.
  client.run('PRAGMA foreign_keys = OFF');
  client.transaction(() => applyPending(client, upgradeLog)).immediate();
  client.run('PRAGMA foreign_keys = ON');
}

/**
 * Copies and migrates the database. The caller holds the write lock, so the copy is exactly the state before the
 * upgrade.
 */
function applyPending(client: Database, upgradeLog: Logger | undefined): void {
  const pending = pendingIn(client);
  const [first] = pending;
  if (!first) return;
  if (pending.length < MIGRATIONS.length) copyBeforeUpgrade(client.filename, first[0], upgradeLog);
  client.run('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY NOT NULL, applied_at TEXT NOT NULL)');
  for (const [name, sql] of pending) {
    client.run(sql);
    if (client.query('PRAGMA foreign_key_check').get())
      throw new SetupError(
        `migration ${name} would leave rows with missing references, so nothing was changed. Keep using the earlier version.`,
      );
    client.run('INSERT INTO migrations VALUES (?, ?)', [name, new Date().toISOString()]);
  }
}

/** Returns the name of the last applied migration. Throws `SetupError` if a newer version created it. */
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
      `the database is from a newer version of Formstead (migration "${unknown.name}"). Start that version or restore a backup.`,
    );
  }
  return MIGRATIONS.filter(([known]) => !applied.some(({ name }) => name === known));
}

function copyBeforeUpgrade(database: string, migration: string, log: Logger | undefined): void {
  if (!log) {
    throw new SetupError(
      'the database is from an earlier version of Formstead, and only a server upgrades it. Run "formstead serve".',
    );
  }
  const copy = `${database}.before-${migration}`;
  const folder = dirname(copy);
  const copies = () => readdirSync(folder).filter((name) => name.startsWith(`${basename(database)}.before-`));
  const remove = (names: string[]) => {
    for (const name of names) rmSync(join(folder, name));
  };
  // Incomplete copies left by a crash.
  remove(copies().filter((name) => name.includes(PARTIAL_SUFFIX)));
  copyDatabase(database, copy);
  remove(copies().sort().slice(0, -MAX_COPIES));
  log.info('upgrading the database; a copy was saved first and is as sensitive as the database', { copy });
}
