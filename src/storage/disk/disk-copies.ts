import { mkdirSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readFileChunks, writeWithDigest } from '../../lib/file-io.ts';
import { inheritOwner, syncFolder } from '../../lib/file-system.ts';
import type { StoredBlob } from '../blobs.ts';

/** Reads and writes sealed files under given names in a folder, which is created if missing. */
export function diskCopies(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  inheritOwner(folder);
  syncFolder(dirname(folder));
  return {
    read: async (name: string): Promise<StoredBlob | null> => {
      const path = join(folder, name);
      const stats = await stat(path).catch(() => null);
      return stats && { size: stats.size, bytes: readFileChunks(path) };
    },
    put: async (name: string, { bytes }: StoredBlob): Promise<void> => {
      const path = join(folder, name);
      await rm(`${path}.new`, { force: true });
      await writeWithDigest(bytes, `${path}.new`);
      await rename(`${path}.new`, path);
      syncFolder(folder);
    },
  };
}
