import { statfsSync } from 'node:fs';

/**
 * Returns the free bytes on the file system of `path` for this process's user, without blocks reserved for root. Takes
 * microseconds. Throws the system error if the path does not exist.
 */
export function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
