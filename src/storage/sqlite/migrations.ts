import type { Database } from 'bun:sqlite';
import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import first from '../../../drizzle/0000_first.sql' with { type: 'text' };
import { SetupError } from '../../domain/errors.ts';
import type { Logger } from '../../lib/log.ts';
import { type Applied, checksum, type Migrations, requireSame, serverUpgrades } from '../migrations.ts';
import { copyDatabase, PARTIAL_SUFFIX } from './copy-database.ts';

const MIGRATIONS: Migrations = [['0000_first', first]];

/** The number of copies from before an upgrade to keep. Their names sort by age. */
const MAX_COPIES = 2;

/**
 * Applies the pending migrations in one transaction. Several processes may create a new database at once; an existing
 * one is copied first and the copy logged to `upgradeLog`. Throws `SetupError` without `upgradeLog`, if the copy fails,
 * if a newer version has migrated the database, or if an applied migration differs from the one of this program.
 */
export function migrate(client: Database, upgradeLog: Logger | undefined): void {
  const pending = readPending(client);
  if (pending.length === 0) return;
  // With foreign keys on, rebuilding a table would delete rows that refer to it. The setting cannot change in a
  // transaction.
  client.run('PRAGMA foreign_keys = OFF');
  const startedAt = performance.now();
  client.transaction(() => upgrade(client, upgradeLog)).immediate();
  client.run('PRAGMA foreign_keys = ON');
  if (pending.length === MIGRATIONS.length) return;
  upgradeLog?.info('upgraded the database', { seconds: Math.ceil((performance.now() - startedAt) / 1000) });
}

/** Copies and migrates the database. The caller holds the write lock, so the copy is exactly the state before. */
function upgrade(client: Database, upgradeLog: Logger | undefined): void {
  const pending = readPending(client);
  const isNew = pending.length === MIGRATIONS.length;
  if (pending[0] && !isNew) copyBeforeUpgrade(client.filename, pending[0][0], upgradeLog);
  client.run(
    'CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY NOT NULL, applied_at TEXT NOT NULL, checksum TEXT)',
  );
  for (const [name, sql] of pending) apply(client, name, sql);
}

function apply(client: Database, name: string, sql: string): void {
  client.run(sql);
  if (client.query('PRAGMA foreign_key_check').get())
    throw new SetupError(
      `migration ${name} would leave rows with missing references, so nothing was changed. Keep using the earlier version.`,
    );
  client.run('INSERT INTO migrations VALUES (?, ?, ?)', [name, new Date().toISOString(), checksum(sql)]);
}

/**
 * Returns the name of the last applied migration. Throws `SetupError` if a newer version created it, or if an applied
 * migration differs from the one of this program.
 */
export const lastMigration = (client: Database): string => readApplied(client).at(-1)?.name ?? '';

/** Returns the migrations to apply. Throws `SetupError` unless the applied ones are those of this program. */
function readPending(client: Database): Migrations {
  const applied = readApplied(client);
  const names = new Set(applied.map(({ name }) => name));
  return MIGRATIONS.filter(([name]) => !names.has(name));
}

function readApplied(client: Database): Applied[] {
  if (!client.query("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get()) return [];
  const applied = client.query<Applied, []>('SELECT name, checksum FROM migrations ORDER BY name').all();
  requireSame(MIGRATIONS, applied);
  const later = applied.find(({ name }) => !MIGRATIONS.some(([known]) => known === name));
  if (!later) return applied;
  throw new SetupError(
    `the database is from a newer version of Formstead (migration "${later.name}"). Start that version or restore a backup.`,
  );
}

function copyBeforeUpgrade(database: string, migration: string, log: Logger | undefined): void {
  if (!log) throw serverUpgrades();
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
