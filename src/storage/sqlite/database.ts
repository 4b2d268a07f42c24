import { Database, SQLiteError } from 'bun:sqlite';
import { accessSync, constants } from 'node:fs';
import { platform } from 'node:os';
import { type Placeholder, sql } from 'drizzle-orm';
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';
import { SetupError } from '../../domain/errors.ts';
import { explainSystemFault, MAKE_WRITABLE } from '../../domain/instance/system-fault.ts';
import { inheritOwner } from '../../lib/file-system.ts';
import type { Logger } from '../../lib/log.ts';
import { unavailable } from '../unavailable.ts';
import { migrate } from './migrations.ts';

export type Drizzle = BunSQLiteDatabase & { $client: Database };

/** The first version without the bug that corrupted a WAL database when two connections checkpointed at once. */
const MIN_SQLITE = '3.51.3';

/**
 * Opens the database and creates its schema if it is new. With `upgradeLog`, which only a server may pass because it
 * holds the lock, an older database is copied and upgraded. Throws `SetupError` if the settings for durability do not
 * hold or the schema is not that of this version.
 */
export function openDatabase(path: string, upgradeLog?: Logger): Drizzle {
  const client = openFile(path);
  try {
    // busy_timeout first: the next statements may already wait for another process.
    client.run('PRAGMA busy_timeout = 5000');
    client.run('PRAGMA journal_mode = WAL');
    client.run('PRAGMA synchronous = FULL');
    client.run('PRAGMA foreign_keys = ON');
    client.run('PRAGMA journal_size_limit = 67108864');
    // SQLite does not report a sync that fails during an automatic checkpoint: see `Checkpointer`.
    client.run('PRAGMA wal_autocheckpoint = 0');
    // Overwrite deleted data.
    client.run('PRAGMA secure_delete = ON');
    if (platform() === 'darwin') client.run('PRAGMA fullfsync = ON');
    requireDurableSettings(client);
    migrate(client, upgradeLog);
    return drizzle({ client });
  } catch (error) {
    client.close();
    throw error instanceof SQLiteError ? unusable(`the database ${path}`, error) : error;
  }
}

function openFile(path: string): Database {
  try {
    const client = new Database(path, { create: true, readwrite: true, strict: true });
    inheritOwner(path);
    // SQLite opens a file without the right to write for reading.
    requireWritable(path, client);
    return client;
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error;
    throw unusable(`the database ${path}`, error);
  }
}

function requireWritable(path: string, client: Database): void {
  try {
    accessSync(path, constants.W_OK);
  } catch {
    client.close();
    throw new SetupError(`cannot use the database ${path}: it is read-only. ${MAKE_WRITABLE}`);
  }
}

/** Returns the error for a database or lock that cannot be used, with the remedy. */
export function unusable(name: string, error: SQLiteError): SetupError {
  return new SetupError(`cannot use ${name}: ${explainSystemFault(error) ?? error.message}`);
}

function requireDurableSettings(client: Database): void {
  const value = (sql: string) => Object.values(client.query<Record<string, unknown>, []>(sql).get() ?? {})[0];
  const version = String(value('SELECT sqlite_version()'));
  if (platform() !== 'darwin' && Bun.semver.order(version, MIN_SQLITE) < 0) {
    throw new SetupError(`SQLite ${version} is too old: Formstead requires ${MIN_SQLITE} or later. Update Bun.`);
  }
  const actual = { journal_mode: value('PRAGMA journal_mode'), synchronous: value('PRAGMA synchronous') };
  if (actual.journal_mode !== 'wal' || actual.synchronous !== 2) {
    throw new SetupError(
      `the database rejected its durability settings (${JSON.stringify(actual)}). Move DATA_DIR to a local disk.`,
    );
  }
}

/**
 * Returns the faults that SQLite finds; empty if there are none. Reads the whole database. A full `integrity_check`
 * also compares each index with its table, but took eight times as long, and the write-ahead log cannot be reset in the
 * meantime.
 */
export function checkIntegrity(db: Drizzle): string[] {
  try {
    const rows = db.$client.query<{ quick_check: string }, []>('PRAGMA quick_check(10)').all();
    const query = 'SELECT "table", count(*) AS count FROM pragma_foreign_key_check GROUP BY "table"';
    const orphans = db.$client.query<{ table: string; count: number }, []>(query).all();
    return [
      ...rows.map(({ quick_check }) => quick_check).filter((text) => text !== 'ok'),
      ...orphans.map(({ table, count }) => `${table}: ${count} rows with missing references`),
    ];
  } catch (error) {
    if (error instanceof SQLiteError) return [error.message];
    throw error;
  }
}

/**
 * Makes the write-ahead log durable with a checkpoint. A process that exited after a failed sync may have left pages in
 * the log that are only in the page cache. Closes the database and throws `SetupError` if the checkpoint fails.
 */
export function checkpointAtStart(db: Drizzle): void {
  try {
    const result = db.$client.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get();
    if (result?.busy === 0) return;
  } catch (error) {
    db.$client.close();
    if (!(error instanceof SQLiteError)) throw error;
    throw unusable('the write-ahead log of formstead.db', error);
  }
  db.$client.close();
  throw new SetupError('another process keeps reading the database. Stop it and start again.');
}

/** A failed sync outside SQLite. `code` is the system's error code. */
export class SyncError extends Error {
  constructor(readonly code: string) {
    super(`fsync failed (${code})`);
  }
}

/** Returns the code of an error caused by a failed sync; null for other errors. */
export function syncErrorCode(error: unknown): string | null {
  if (error instanceof SyncError) return error.code;
  const code = error instanceof SQLiteError ? (error.code ?? '') : '';
  return code.endsWith('FSYNC') ? code : null;
}

/** Turns errors of the database and of its files into `AppError('storage_unavailable')`; returns others unchanged. */
export function toAppError(error: unknown): unknown {
  const isFault = error instanceof SQLiteError || error instanceof SyncError || explainSystemFault(error) !== null;
  return isFault ? unavailable(error) : error;
}

/** Returns placeholders for the values of a prepared statement, each with the name of its property. */
export function placeholders<Name extends string>(...names: Name[]) {
  const entries = names.map((name): [Name, Placeholder] => [name, sql.placeholder(name)]);
  return Object.fromEntries(entries) as Record<Name, Placeholder>;
}
