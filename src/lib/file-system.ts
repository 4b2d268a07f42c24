import { closeSync, fsyncSync, lchownSync, lstatSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { geteuid } from 'node:process';

/** Syncs a file, so that its content survives a power failure. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Syncs a folder, so that the names of new and renamed files in it survive a power failure. */
export const syncFolder: (path: string) => void = syncFile;

/**
 * Creates a folder with mode 0700 and its missing parents, and syncs their names to disk. Returns the topmost folder
 * created, undefined if all existed.
 */
export function createFolder(path: string): string | undefined {
  const topmost = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (topmost === undefined) return undefined;
  const parent = dirname(resolve(topmost));
  let folder = resolve(path);
  do {
    folder = dirname(folder);
    syncFolder(folder);
  } while (folder !== parent);
  return topmost;
}

/**
 * Gives a new file or folder the owner of the folder that contains it, if this process is root: a server of another
 * user could not open it otherwise. Never follows a link at `path`.
 */
export function inheritOwner(path: string): void {
  if (geteuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  if (lstatSync(path).uid !== uid) lchownSync(path, uid, gid);
}
