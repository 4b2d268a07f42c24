import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DATABASE, FILES, KEY_FILE, UNFINISHED_RESTORE, WRITER_ID } from '../domain/backup.ts';
import { NoInstanceError, SetupError } from '../domain/errors.ts';
import { createFolder } from '../lib/file-system.ts';

/** Throws `NoInstanceError` unless `path` has a database, and `SetupError` if it cannot be opened. Creates nothing. */
export function requireInstance(path: string): void {
  requireFinishedRestore(path);
  if (hasInstance(path)) return;
  if (getSize(join(path, DATABASE)) === 0) requireNoRemains(path, 'an empty formstead.db');
  throw new NoInstanceError(resolve(path));
}

/** Throws `SetupError` for `init` in a directory that has an instance. */
export function alreadyThere(name: string, setting: 'DATA_DIR' | 'DATABASE_URL'): SetupError {
  const other = setting === 'DATA_DIR' ? 'another directory' : 'an empty database';
  return new SetupError(`${name} already has an instance. Set ${setting} to ${other} for a new one.`);
}

/**
 * Throws `SetupError` if a directory without a database has a key, files, or the id of its files in a bucket: its database
 * was lost, and a new one would not know the files. A key alone is taken into a new instance if `mayHaveKey`.
 */
export function requireNoRemains(path: string, database: string, mayHaveKey = false): void {
  const remains = [
    ...(existsSync(join(path, FILES)) && readdirSync(join(path, FILES)).length > 0 ? ['uploaded files'] : []),
    ...(existsSync(join(path, WRITER_ID)) ? ['the id of its files in a bucket (s3-writer)'] : []),
  ];
  if (existsSync(join(path, KEY_FILE)) && (remains.length > 0 || !mayHaveKey)) remains.unshift('an encryption key');
  if (remains.length === 0) return;
  throw new SetupError(
    `${resolve(path)} has ${remains.join(' and ')}, but ${database}. Its database is missing: restore formstead.db from a backup, or set DATABASE_URL to the right database. For a new instance, set DATA_DIR to an empty directory.`,
  );
}

/** Creates the data directory and its parents if missing. Throws `SetupError`, also after an interrupted restore. */
export function createDataDir(path: string): void {
  try {
    createFolder(path);
  } catch (error) {
    throw new SetupError(
      `Could not create DATA_DIR ${JSON.stringify(path)} (${getCode(error)}). Create it, or set DATA_DIR to another directory.`,
    );
  }
  requireFinishedRestore(path);
}

/** Throws `SetupError` if the directory has a restore that was interrupted. */
function requireFinishedRestore(path: string): void {
  if (existsSync(join(path, UNFINISHED_RESTORE))) {
    throw new SetupError(`A restore into ${path} was interrupted. Empty that directory and restore again.`);
  }
}

/** Returns true if a directory has a database. An empty file is none. Throws `SetupError` if it cannot be opened. */
export const hasInstance = (path: string): boolean => getSize(join(path, DATABASE)) > 0;

/** Returns the size of a file, -1 if it does not exist. */
function getSize(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    const code = getCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return -1;
    throw new SetupError(
      `Could not open DATA_DIR ${JSON.stringify(dirname(path))} (${code}). Run this command as the user of the server, or with sudo.`,
    );
  }
}

function getCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
