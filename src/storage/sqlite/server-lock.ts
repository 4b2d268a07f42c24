import { Database } from 'bun:sqlite';
import { SetupError } from '../../domain/errors.ts';

/** Held as long as the process lives. It must stay referenced: a collected `Database` gives its lock back. */
export interface ServerLock {
  release(): void;
}

/**
 * Makes this process the only server of a data directory. An SQLite lock rather than a pid file: in a container every
 * server is process 1, and the system frees this one even after kill -9. Throws `SetupError` if another server has it.
 */
export function takeServerLock(path: string): ServerLock {
  const database = new Database(path, { create: true });
  try {
    database.run('BEGIN EXCLUSIVE');
  } catch {
    database.close();
    throw new SetupError(
      'another Formstead serves this data directory; stop it first, or set DATA_DIR to another one.',
    );
  }
  return { release: () => database.close() };
}
