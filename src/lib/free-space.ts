import { statfsSync } from 'node:fs';

/**
 * How many bytes may still be written beside this path by who runs this, which is less than what is free where some is kept
 * for root. Takes microseconds. Throws the system's error if there is no such path.
 */
export function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
