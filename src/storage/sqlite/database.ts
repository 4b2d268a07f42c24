import { Database, SQLiteError } from 'bun:sqlite';
import { platform } from 'node:os';
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';
import { AppError, SetupError } from '../../domain/errors.ts';
import type { Logger } from '../../lib/log.ts';
import { sizeOf } from './copy-database.ts';
import { migrate } from './migrations.ts';

export type Drizzle = BunSQLiteDatabase & { $client: Database };

/** Two connections that checkpoint at the same moment could corrupt a WAL database before this version. */
const MIN_SQLITE = '3.51.3';

const LONG_LOG_PAGES = 1_000;

/**
 * Opens the database and makes its schema where it is new. One of an earlier program is upgraded, with a copy made before, if
 * there is an `upgradeLog` to tell of it: a server, which is alone, has one. Throws `SetupError` unless the database is as safe
 * as Formstead promises and of this program.
 */
export function openDatabase(path: string, upgradeLog?: Logger): Drizzle {
  const client = openFile(path);
  try {
    // busy_timeout first: the statements after it may already meet another process.
    client.run('PRAGMA busy_timeout = 5000');
    client.run('PRAGMA journal_mode = WAL');
    client.run('PRAGMA synchronous = FULL');
    client.run('PRAGMA foreign_keys = ON');
    client.run('PRAGMA journal_size_limit = 67108864');
    // SQLite says nothing of a sync that fails while it writes the log down by itself: see `logShortener`.
    client.run('PRAGMA wal_autocheckpoint = 0');
    // What is deleted is overwritten.
    client.run('PRAGMA secure_delete = ON');
    if (platform() === 'darwin') client.run('PRAGMA fullfsync = ON');
    requireSafety(client);
    migrate(client, upgradeLog);
    return drizzle({ client });
  } catch (error) {
    client.close();
    throw error instanceof SQLiteError ? new SetupError(`cannot use the database ${path}: ${error.message}.`) : error;
  }
}

function openFile(path: string): Database {
  try {
    return new Database(path, { create: true, readwrite: true, strict: true });
  } catch (error) {
    throw new SetupError(`cannot open the database ${path}: ${error instanceof Error ? error.message : error}.`);
  }
}

function requireSafety(client: Database): void {
  const read = (sql: string) => Object.values(client.query<Record<string, unknown>, []>(sql).get() ?? {})[0];
  const version = String(read('SELECT sqlite_version()'));
  if (platform() !== 'darwin' && Bun.semver.order(version, MIN_SQLITE) < 0) {
    throw new SetupError(`SQLite is ${version}; Formstead takes ${MIN_SQLITE} or later: update Bun.`);
  }
  const found = { journal_mode: read('PRAGMA journal_mode'), synchronous: read('PRAGMA synchronous') };
  if (found.journal_mode !== 'wal' || found.synchronous !== 2) {
    throw new SetupError(`the database does not keep its settings (${JSON.stringify(found)}); use a local disk.`);
  }
}

/**
 * What SQLite finds wrong with the whole database; empty if nothing. Takes as long as reading all of it; to hold each index
 * against its table as well took eight times as long, and the server's log could not be emptied meanwhile.
 */
export function findDamage(db: Drizzle): string[] {
  try {
    const found = db.$client.query<{ quick_check: string }, []>('PRAGMA quick_check(10)').all();
    const astray = db.$client
      .query<{ table: string; count: number }, []>(
        'SELECT "table", count(*) AS count FROM pragma_foreign_key_check GROUP BY "table"',
      )
      .all();
    return [
      ...found.map(({ quick_check: says }) => says).filter((says) => says !== 'ok'),
      ...astray.map(({ table, count }) => `${table}: rows that refer to what is not there (${count})`),
    ];
  } catch (error) {
    if (error instanceof SQLiteError) return [error.message];
    throw error;
  }
}

/**
 * Writes the log into the database and empties it, so that it holds nothing any more of what was deleted. False, at once, if
 * somebody reads or writes just now. The log is short: see `logShortener`.
 */
export function clearLog(db: Drizzle): boolean {
  db.$client.run('PRAGMA busy_timeout = 0');
  try {
    const result = db.$client.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get();
    return result?.busy === 0;
  } finally {
    db.$client.run('PRAGMA busy_timeout = 5000');
  }
}

/**
 * Writes the log into the database once it has a thousand pages, as far as others who read allow; it begins from its start
 * then. Without room for that it goes on growing.
 */
export function logShortener(db: Drizzle): () => void {
  const measure = db.$client.query<{ log: number }, []>('PRAGMA wal_checkpoint(NOOP)');
  const write = db.$client.query('PRAGMA wal_checkpoint(PASSIVE)');
  return () => {
    if ((measure.get()?.log ?? 0) < LONG_LOG_PAGES) return;
    try {
      write.get();
    } catch (error) {
      if (!(error instanceof SQLiteError) || failedSyncOf(error) !== null) throw error;
    }
  };
}

/**
 * Makes what the log holds durable, by writing it into the database: a process that a failed sync has ended may have left
 * there what is in the system's memory alone. Throws `SetupError`, and closes the database, if the disk or others do not let it.
 */
export function settleLog(db: Drizzle): void {
  try {
    const result = db.$client.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get();
    if (result?.busy === 0) return;
  } catch (error) {
    db.$client.close();
    if (!(error instanceof SQLiteError)) throw error;
    throw new SetupError(
      `the log of the database cannot be written into it: ${error.message} (${error.code}). Look at the disk and its room.`,
    );
  }
  db.$client.close();
  throw new SetupError('another process has been reading the database for seconds; end it and start again.');
}

/** A sync failed that was not SQLite's own; `code` is the system's. */
export class SyncError extends Error {
  constructor(readonly code: string) {
    super(`a sync failed (${code})`);
  }
}

/** The code of an error that says that a sync failed; null for any other. */
export function failedSyncOf(error: unknown): string | null {
  if (error instanceof SyncError) return error.code;
  const code = error instanceof SQLiteError ? (error.code ?? '') : '';
  return code.endsWith('FSYNC') ? code : null;
}

/**
 * Writes the database anew, since SQLite leaves copies of rows behind in pages that it moved them from. Others wait for some
 * seven seconds a gigabyte. False if it has more bytes than `most`, somebody writes, or there is no room for a second copy.
 */
export function rewrite(db: Drizzle, most: number): boolean {
  if (sizeOf(db.$client) > most) return false;
  try {
    db.$client.run('VACUUM');
    return true;
  } catch (error) {
    if (error instanceof SQLiteError && failedSyncOf(error) === null) return false;
    throw error;
  }
}

/** What to tell those whose work the database did not do: come back soon, nothing was changed. */
export function explainFailure(error: unknown): unknown {
  if (!(error instanceof SQLiteError || error instanceof SyncError)) return error;
  return new AppError(
    'storage_unavailable',
    'The storage does not answer just now, and nothing was changed. Please try again in a minute.',
    {
      headers: { 'Retry-After': '60' },
      cause: error,
    },
  );
}

/** Runs a unit of work; a database that does not answer becomes `storage_unavailable`. */
export async function unitOfWork<T>(work: () => T): Promise<T> {
  try {
    return work();
  } catch (error) {
    throw explainFailure(error);
  }
}
