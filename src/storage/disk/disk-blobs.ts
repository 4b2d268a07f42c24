import { accessSync, constants, mkdirSync, writeSync, writevSync } from 'node:fs';
import { type FileHandle, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SetupError } from '../../domain/errors.ts';
import { readFileChunks, writeWithDigest } from '../../lib/file-io.ts';
import { inheritOwner, syncFolder } from '../../lib/file-system.ts';
import { freeBuffer } from '../../lib/free-buffer.ts';
import { shareRuns } from '../../lib/share-runs.ts';
import { type Blobs, type BlobWriter, type StoredBlob, withFiles } from '../blobs.ts';
import type { DiskWatch } from '../disk-watch.ts';

const READ_BYTES = 64 * 1024;

/** Creates a blob store in a folder, which is created if missing. `disk` checks free space and records failed syncs. */
export function diskBlobs(folder: string, disk: DiskWatch): Blobs {
  createUsable(folder);
  syncFolder(dirname(folder));
  const unreferenced = new Map<string, FileHandle>();

  const markReferenced = (names: readonly string[]) => {
    for (const name of names) unreferenced.delete(name);
  };

  const sync = async (handle: FileHandle, what: 'file' | 'folder') => {
    try {
      await handle.sync();
    } catch (error) {
      disk.reportSyncFailure(what, error instanceof Error && 'code' in error ? String(error.code) : 'unknown');
      throw error;
    }
  };

  const syncFolderEntries = shareRuns(async () => {
    await using handle = await open(folder, 'r');
    await sync(handle, 'folder');
  });

  const create = async (): Promise<BlobWriter> => {
    const name = crypto.randomUUID().replaceAll('-', '');
    const file = await open(join(folder, name), 'wx', 0o600);
    unreferenced.set(name, file);
    return {
      name,
      write: (pieces) =>
        withFiles(async () => {
          disk.reserve(pieces.reduce((sum, { length }) => sum + length, 0));
          writeAll(file, pieces);
        }),
      finish: () =>
        withFiles(async () => {
          // Side by side: the folder has had the name since `create`.
          await Promise.all([sync(file, 'file'), syncFolderEntries()]);
          // Nothing can be lost any more, so the caller does not wait behind other syncs.
          file.close().catch(() => {});
        }),
    };
  };

  return {
    create: () => withFiles(create),

    read: (name) =>
      withFiles(async () => {
        const path = join(folder, name);
        const stats = await stat(path).catch(nullIfMissing);
        return stats && { size: stats.size, bytes: readAll(path) };
      }),

    remove: (names) =>
      withFiles(async () => {
        for (const name of names) await unreferenced.get(name)?.close();
        // Before the removal, so that `list` shows a blob that could not be removed.
        markReferenced(names);
        for (const name of names) await rm(join(folder, name), { force: true });
      }),

    markReferenced,

    list: async function* () {
      for await (const { name } of await opendir(folder)) {
        if (unreferenced.has(name)) continue;
        const stats = await stat(join(folder, name)).catch(nullIfMissing);
        if (stats) yield { name, size: stats.size, modifiedAt: Math.floor(stats.mtimeMs * 1000) };
      }
    },
  };
}

/** Creates the folder if missing. Throws `SetupError` if this user cannot use it. */
function createUsable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    inheritOwner(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new SetupError(
      `cannot use the folder ${folder} (${code}). Make it and its files readable and writable for the user that runs this command.`,
    );
  }
}

/**
 * Writes pieces and frees them. It does so synchronously: filling the page cache takes microseconds, and only `finish`
 * waits for the disk. With asynchronous writes, incoming data would pile up in memory, up to a megabyte per connection.
 */
function writeAll({ fd }: FileHandle, pieces: readonly Uint8Array[]): void {
  let written = writevSync(fd, pieces);
  for (const piece of pieces) {
    // The system may have written less than all.
    for (let rest = piece.subarray(written); rest.length > 0; ) rest = rest.subarray(writeSync(fd, rest));
    written = Math.max(0, written - piece.length);
    freeBuffer(piece);
  }
}

/** Opens the file when the first chunk is requested. An iterator that is never started would leak an open file. */
async function* readAll(path: string): AsyncGenerator<Uint8Array> {
  await using file = await open(path, 'r');
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, READ_BYTES);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

function nullIfMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}

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
