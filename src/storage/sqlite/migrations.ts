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
import authority from '../../../drizzle/0007_authority.sql' with { type: 'text' };
import mailClaims from '../../../drizzle/0008_mail_claims.sql' with { type: 'text' };
import storage from '../../../drizzle/0009_storage.sql' with { type: 'text' };
import webhooks from '../../../drizzle/0010_webhooks.sql' with { type: 'text' };
import notifyConditions from '../../../drizzle/0011_notify_conditions.sql' with { type: 'text' };
import inbox from '../../../drizzle/0012_inbox.sql' with { type: 'text' };
import apiRequests from '../../../drizzle/0013_api_requests.sql' with { type: 'text' };
import imports from '../../../drizzle/0014_imports.sql' with { type: 'text' };
import spamLearning from '../../../drizzle/0015_spam_learning.sql' with { type: 'text' };
import acceptIndexes from '../../../drizzle/0016_accept_indexes.sql' with { type: 'text' };
import instances from '../../../drizzle/0017_instances.sql' with { type: 'text' };
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
  ['0007_authority', authority],
  ['0008_mail_claims', mailClaims],
  ['0009_storage', storage],
  ['0010_webhooks', webhooks],
  ['0011_notify_conditions', notifyConditions],
  ['0012_inbox', inbox],
  ['0013_api_requests', apiRequests],
  ['0014_imports', imports],
  ['0015_spam_learning', spamLearning],
  ['0016_accept_indexes', acceptIndexes],
  ['0017_instances', instances],
];

/** The number of copies from before an upgrade to keep. Their names sort by age. */
const MAX_COPIES = 2;

/**
 * Completes a database whose 0005_rights is that of commit 12ef923, which was edited afterwards: adds the indexes and
 * the table that it lacked, and the actor ids that it left null.
 */
const COMPLETE_EARLY_RIGHTS = `
  UPDATE audit SET actor_id = actor WHERE actor_id IS NULL;
  CREATE INDEX audit_of_actor ON audit (team_id, actor_id);
  CREATE INDEX audit_of_action ON audit (team_id, action);
  CREATE INDEX audit_of_actor_and_action ON audit (team_id, actor_id, action);
  CREATE TABLE steady_clock (
    id integer PRIMARY KEY NOT NULL,
    seen_at integer NOT NULL,
    steady_since integer NOT NULL
  );`;

/** `hasChecksums` is false for a database of a version without them, and `hasEarlyRights` for one to be completed. */
type Ledger = Readonly<{ pending: typeof MIGRATIONS; hasChecksums: boolean; hasEarlyRights: boolean }>;

/**
 * Applies the pending migrations in one transaction. Several processes may create a new database at once; an existing
 * one is copied first and the copy logged to `upgradeLog`. Throws `SetupError` without `upgradeLog`, if the copy fails,
 * if a newer version has migrated the database, or if an applied migration differs from the one of this program.
 */
export function migrate(client: Database, upgradeLog: Logger | undefined): void {
  const ledger = readLedger(client);
  if (!isOutdated(ledger) && (ledger.hasChecksums || !upgradeLog)) return;
  // With foreign keys on, rebuilding a table would delete rows that refer to it. The setting cannot change in a
  // transaction.
  client.run('PRAGMA foreign_keys = OFF');
  const startedAt = performance.now();
  client.transaction(() => upgrade(client, upgradeLog)).immediate();
  client.run('PRAGMA foreign_keys = ON');
  if (ledger.pending.length === MIGRATIONS.length || !isOutdated(ledger)) return;
  upgradeLog?.info('upgraded the database', { seconds: Math.ceil((performance.now() - startedAt) / 1000) });
}

/**
 * Copies and migrates the database. The caller holds the write lock, so the copy is exactly the state before the
 * upgrade.
 */
function upgrade(client: Database, upgradeLog: Logger | undefined): void {
  const ledger = readLedger(client);
  const { pending, hasChecksums, hasEarlyRights } = ledger;
  const isNew = pending.length === MIGRATIONS.length;
  if (isOutdated(ledger) && !isNew) {
    copyBeforeUpgrade(client.filename, pending[0]?.[0] ?? '0005_rights_completed', upgradeLog);
  }
  client.run('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY NOT NULL, applied_at TEXT NOT NULL)');
  if (!hasChecksums) {
    client.run('ALTER TABLE migrations ADD COLUMN checksum TEXT');
    for (const [name, sql] of MIGRATIONS)
      client.run('UPDATE migrations SET checksum = ? WHERE name = ?', [checksum(sql), name]);
  }
  if (hasEarlyRights) client.run(COMPLETE_EARLY_RIGHTS);
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
export function lastMigration(client: Database): string {
  readLedger(client);
  return client.query<{ name: string }, []>('SELECT max(name) AS name FROM migrations').get()?.name ?? '';
}

function isOutdated({ pending, hasEarlyRights }: Ledger): boolean {
  return pending.length > 0 || hasEarlyRights;
}

/** Compares the applied migrations with those of this program. Throws `SetupError` unless they agree. */
function readLedger(client: Database): Ledger {
  const has = (sql: string) => client.query(sql).get() !== null;
  if (!has("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'"))
    return { pending: MIGRATIONS, hasChecksums: false, hasEarlyRights: false };
  const hasChecksums = has("SELECT 1 FROM pragma_table_info('migrations') WHERE name = 'checksum'");
  const applied = client
    .query<{ name: string; stored: string | null }, []>(
      `SELECT name, ${hasChecksums ? 'checksum' : 'NULL'} AS stored FROM migrations ORDER BY name`,
    )
    .all();
  for (const { name, stored } of applied) requireKnown(name, stored);
  const names = new Set(applied.map(({ name }) => name));
  return {
    pending: MIGRATIONS.filter(([name]) => !names.has(name)),
    hasChecksums,
    hasEarlyRights:
      !hasChecksums && names.has('0005_rights') && !has("SELECT 1 FROM sqlite_schema WHERE name = 'steady_clock'"),
  };
}

/** Throws `SetupError` unless this program has the migration, with the stored checksum if there is one. */
function requireKnown(name: string, stored: string | null): void {
  const known = MIGRATIONS.find((migration) => migration[0] === name);
  if (!known) {
    throw new SetupError(
      `the database is from a newer version of Formstead (migration "${name}"). Start that version or restore a backup.`,
    );
  }
  if (stored === null || stored === checksum(known[1])) return;
  throw new SetupError(
    `the migration "${name}" of the database differs from the one of this program (its checksum is ${stored}). Start the version that created the database, or restore a backup.`,
  );
}

function checksum(sql: string): string {
  return new Bun.CryptoHasher('sha256').update(sql).digest('hex');
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
