import { Database, SQLiteError } from 'bun:sqlite';
import { SetupError } from '../../domain/errors.ts';

const TRIES = 5;
const PAUSE_MS = 10;

/** Held as long as the process lives. It must stay referenced: a collected `Database` gives its lock back. */
export interface Lock {
  release(): void;
}

/**
 * Makes this process the only one that has this lock; null if another has it. An SQLite lock rather than a pid file: in a
 * container every server is process 1, and the system frees this one even after kill -9. Throws `SetupError` if there can be none.
 */
export function takeLock(path: string): Lock | null {
  // Who only looks whether it is taken has it for a moment.
  for (let tries = 1; tries < TRIES; tries++) {
    const lock = tryLock(path);
    if (lock) return lock;
    Bun.sleepSync(PAUSE_MS);
  }
  return tryLock(path);
}

function tryLock(path: string): Lock | null {
  try {
    const database = new Database(path, { create: true });
    database.run('BEGIN EXCLUSIVE');
    return { release: () => database.close() };
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error;
    if (error.code === 'SQLITE_BUSY') return null;
    throw new SetupError(`cannot use ${path}: ${error.message}.`);
  }
}

/** Whether a process has this lock at this moment. */
export function isLocked(path: string): boolean {
  let database: Database | null = null;
  try {
    database = new Database(path, { readonly: true });
    database.query('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error;
    return error.code === 'SQLITE_BUSY';
  } finally {
    database?.close();
  }
}
