import { Database, SQLiteError } from 'bun:sqlite';
import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { SetupError } from '../../domain/errors.ts';
import { inheritOwner, syncFile, syncFolder } from '../../lib/file-system.ts';
import { freeBytes } from '../../lib/free-space.ts';

/** The suffix of an incomplete copy. Files with it that a crash left behind may be removed. */
export const PARTIAL_SUFFIX = '.partial';

/**
 * Writes a consistent snapshot of the database `from` to `to` with mode 0600. An existing file is replaced atomically
 * once the copy is synced. Blocks this process but no other writer; throws `SetupError` if the disk is full or a file
 * cannot be written.
 */
export function copyDatabase(from: string, to: string): void {
  const draft = `${to}.${crypto.randomUUID()}${PARTIAL_SUFFIX}`;
  try {
    {
      using source = new Database(from, { readwrite: true, create: false });
      source.run('PRAGMA busy_timeout = 5000');
      requireFreeSpace(source, to);
      // Created empty with a private mode, because SQLite would make it readable for others.
      closeSync(openSync(draft, 'wx', 0o600));
      inheritOwner(draft);
      source.run('VACUUM INTO ?', [draft]);
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

/** Returns the size of the database in bytes, including free pages. */
export function databaseBytes(database: Database): number {
  const pragma = (name: string) => Number(Object.values(database.query(`PRAGMA ${name}`).get() ?? {})[0]);
  return pragma('page_count') * pragma('page_size');
}

/** Throws `SetupError` unless a full copy fits at `to` and leaves `minFreeBytes` free. */
export function requireFreeSpace(database: Database, to: string, minFreeBytes = 0): void {
  const free = freeBytes(dirname(to)) - minFreeBytes;
  const bytes = databaseBytes(database);
  if (free >= bytes) return;
  const megabytes = (count: number) => `${Math.ceil(Math.max(0, count) / 1_000_000)} MB`;
  const above = minFreeBytes > 0 ? ' above MIN_FREE_BYTES' : '';
  throw new SetupError(
    `not enough disk space for ${to}: it needs ${megabytes(bytes)}, and ${megabytes(free)} are free${above}. Free some space first.`,
  );
}
