import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY_DIR = '/dev/shm';
const MIN_MEMORY_BYTES = 1024 ** 3;

/** Returns a folder in memory, where a sync is free, or the temporary folder if there is none or too little space. */
export function fastestDir(): string {
  if (!existsSync(MEMORY_DIR)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY_DIR);
  return bavail * bsize < MIN_MEMORY_BYTES ? tmpdir() : MEMORY_DIR;
}
