import { Database, SQLiteError } from 'bun:sqlite';
import { SetupError } from '../../domain/errors.ts';

/** Held as long as the process lives. It must stay referenced: a collected `Database` gives its lock back. */
export interface Lock {
  release(): void;
}

/** Makes this process the only server of a data directory. Throws `SetupError` if another server has it. */
export function takeServerLock(path: string): Lock {
  return takeLock(path, 'another Formstead serves this data directory; stop it first, or set DATA_DIR to another one.');
}

/**
 * An SQLite lock rather than a pid file: in a container every server is process 1, and the system frees this one even after
 * kill -9. Throws `SetupError` with these words if another process has it.
 */
export function takeLock(path: string, whenTaken: string): Lock {
  try {
    const database = new Database(path, { create: true });
    database.run('BEGIN EXCLUSIVE');
    return { release: () => database.close() };
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error;
    if (error.code !== 'SQLITE_BUSY') throw new SetupError(`cannot use ${path}: ${error.message}.`);
    throw new SetupError(whenTaken);
  }
}
