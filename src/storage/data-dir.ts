import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DATABASE, UNFINISHED_RESTORE } from '../domain/backup.ts';
import { NoInstanceError, SetupError } from '../domain/errors.ts';
import { createFolder } from '../lib/sync-folder.ts';

/** Throws `NoInstanceError` unless `path` has a database, and `SetupError` if it cannot be opened. Creates nothing. */
export function requireInstance(path: string): void {
  requireFinishedRestore(path);
  if (!hasInstance(path)) throw new NoInstanceError(resolve(path));
}

/** Creates the directory of a new instance. Throws `SetupError` if it already has one. */
export function createInstanceDir(path: string): void {
  if (hasInstance(path)) {
    throw new SetupError(`${resolve(path)} already has an instance. Set DATA_DIR to another directory for a new one.`);
  }
  createDataDir(path);
}

/** Creates the data directory and its parents if missing. Throws `SetupError`, also after an interrupted restore. */
export function createDataDir(path: string): void {
  try {
    createFolder(path);
  } catch (error) {
    throw new SetupError(
      `Could not create DATA_DIR ${JSON.stringify(path)} (${codeOf(error)}). Create it, or set DATA_DIR to another directory.`,
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

function hasInstance(path: string): boolean {
  try {
    statSync(join(path, DATABASE));
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw new SetupError(
      `Could not open DATA_DIR ${JSON.stringify(path)} (${code}). Run this command as the user of the server, or with sudo.`,
    );
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
