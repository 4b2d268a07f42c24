import { closeSync, fsyncSync, openSync } from 'node:fs';

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
