import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '../lib/sync-folder.ts';

/** The text in the key file, or null if there is none. */
export function readKeyFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Writes a key file, mode 0600, and returns what stands in it once it is on the disk. Of two processes that write at
 * the same moment one wins, and both get the winner's text. The folder is synced too: a key that a power cut could take
 * away must not seal anything.
 */
export function writeKeyFile(path: string, text: string): string {
  const draft = `${path}.${crypto.randomUUID()}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, `${text}\n`);
    fsyncSync(file);
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    closeSync(file);
    rmSync(draft);
  }
  syncFolder(dirname(path));
  return readFileSync(path, 'utf8');
}
