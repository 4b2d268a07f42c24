import { Database, SQLiteError } from 'bun:sqlite';
import { inheritOwner } from '../../lib/file-system.ts';
import { unusable } from './database.ts';

const ATTEMPTS = 5;
const PAUSE_MS = 10;

/** A lock held until `release` or the end of the process. Keep a reference: collecting the `Database` releases it. */
export interface Lock {
  release(): Promise<void> | void;
}

/**
 * Acquires an exclusive lock; null if another process holds it. It is an SQLite lock rather than a PID file, because in
 * a container every server is process 1, and because the system releases it even after kill -9. Throws `SetupError` if
 * the file cannot be locked.
 */
export function takeLock(path: string): Lock | null {
  // Retry, because `isLocked` in another process blocks the lock for a moment.
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    const lock = tryLock(path);
    if (lock) return lock;
    Bun.sleepSync(PAUSE_MS);
  }
  return tryLock(path);
}

function tryLock(path: string): Lock | null {
  try {
    const database = new Database(path, { create: true });
    inheritOwner(path);
    database.run('BEGIN EXCLUSIVE');
    return { release: () => database.close() };
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error;
    if (error.code === 'SQLITE_BUSY') return null;
    throw unusable(path, error);
  }
}

/** Returns true if a process currently holds the lock. */
export function isLocked(path: string): boolean {
  try {
    using database = new Database(path, { readonly: true });
    database.query('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error;
    return error.code === 'SQLITE_BUSY';
  }
}
