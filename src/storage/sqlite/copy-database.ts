import { Database, SQLiteError } from 'bun:sqlite';
import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { SetupError } from '../../domain/errors.ts';
import { freeBytes } from '../../lib/free-space.ts';
import { syncFile, syncFolder } from '../../lib/sync-folder.ts';

/** What a copy is called until it is whole; one that a crash left behind may be removed. */
export const DRAFT_ENDING = '.partial';

/**
 * Copies the database at `from`, as it stands at one moment and however many write meanwhile, to the file `to`, mode 0600,
 * which is replaced if it is there. It has that name only once it is whole and on the disk. Blocks for as long as it takes
 * to read and write all of it; others may go on writing. Throws `SetupError` if there is no room or it cannot be written.
 */
export function copyDatabase(from: string, to: string): void {
  const draft = `${to}.${crypto.randomUUID()}${DRAFT_ENDING}`;
  try {
    const source = new Database(from, { readwrite: true, create: false });
    try {
      source.run('PRAGMA busy_timeout = 5000');
      requireRoom(source, to);
      // Made here, empty, for its mode: SQLite would let others read it.
      closeSync(openSync(draft, 'wx', 0o600));
      source.run('VACUUM INTO ?', [draft]);
    } finally {
      source.close();
    }
    syncFile(draft);
    renameSync(draft, to);
    syncFolder(dirname(to));
  } catch (error) {
    rmSync(draft, { force: true });
    if (error instanceof SQLiteError || (error instanceof Error && 'syscall' in error)) {
      throw new SetupError(`cannot copy the database ${from} to ${to}: ${error.message}.`);
    }
    throw error;
  }
}

/** How many bytes the database has, what was deleted and not given back included. */
export function sizeOf(database: Database): number {
  const read = (name: string) => Number(Object.values(database.query(`PRAGMA ${name}`).get() ?? {})[0]);
  return read('page_count') * read('page_size');
}

/** Throws `SetupError` unless a copy of all of it has room at `to`, with so many bytes left over. */
export function requireRoom(database: Database, to: string, left = 0): void {
  const free = freeBytes(dirname(to)) - left;
  const bytes = sizeOf(database);
  if (free >= bytes) return;
  const megabytes = (count: number) => `${Math.ceil(Math.max(0, count) / 1_000_000)} MB`;
  const above = left > 0 ? ' above MIN_FREE_BYTES' : '';
  throw new SetupError(
    `there is no room for ${to}: it takes ${megabytes(bytes)}, and ${megabytes(free)} are free${above}; make room first.`,
  );
}
