import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Makes what was written to a file survive a power cut. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the names of files that were made in a folder survive a power cut. */
export const syncFolder: (path: string) => void = syncFile;

/** Makes a folder for its owner alone, and those above it that are not there, so that their names survive a power cut. */
export function createFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  const above = dirname(resolve(first));
  let folder = resolve(path);
  do {
    folder = dirname(folder);
    syncFolder(folder);
  } while (folder !== above);
}
