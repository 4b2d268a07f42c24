import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes the names of files that were made in a folder survive a power cut. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
