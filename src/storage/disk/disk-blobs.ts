import { mkdirSync, writeSync } from 'node:fs';
import { type FileHandle, open, opendir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../domain/errors.ts';
import { inheritOwner } from '../../lib/inherit-owner.ts';
import { shareRuns } from '../../lib/share-runs.ts';
import { syncFolder } from '../../lib/sync-folder.ts';
import type { Blobs, BlobWriter } from '../blobs.ts';
import type { DiskWatch } from '../disk-watch.ts';

const READ_BYTES = 64 * 1024;
/**
 * Size of the write buffer of a short file. One write of 100 KiB costs the file system less than five smaller ones; a
 * longer file has no buffer after its first bytes, so that slow uploads don't hold memory.
 */
const BUFFER_BYTES = 128 * 1024;
/** Number of write buffers kept for later uploads. */
const SPARE_BUFFERS = 16;

/** Creates a blob store in a folder, which is created if missing. `disk` checks free space and records failed syncs. */
export function diskBlobs(folder: string, disk: DiskWatch): Blobs {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  inheritOwner(folder);
  syncFolder(dirname(folder));
  const unreferenced = new Map<string, FileHandle>();
  const spareBuffers: Buffer[] = [];

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
    const handle = await open(folder, 'r');
    try {
      await sync(handle, 'folder');
    } finally {
      await handle.close();
    }
  });

  const create = async (): Promise<BlobWriter> => {
    const name = crypto.randomUUID().replaceAll('-', '');
    const file = await open(join(folder, name), 'wx', 0o600);
    unreferenced.set(name, file);
    let buffer: Buffer | null = null;
    let length = 0;
    let isBuffered = true;
    const flush = () => {
      isBuffered = false;
      if (!buffer) return;
      writeAll(file, buffer.subarray(0, length));
      if (spareBuffers.length < SPARE_BUFFERS) spareBuffers.push(buffer);
      buffer = null;
    };
    return {
      name,
      write: async (bytes) => {
        disk.reserve(bytes.length);
        await onDisk(async () => {
          if (length + bytes.length > BUFFER_BYTES) flush();
          if (!isBuffered) return writeAll(file, bytes);
          buffer ??= spareBuffers.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
          buffer.set(bytes, length);
          length += bytes.length;
        });
      },
      finish: () =>
        onDisk(async () => {
          flush();
          // Side by side: the folder has had the name since `create`.
          await Promise.all([sync(file, 'file'), syncFolderEntries()]);
          // Nothing can be lost any more, so the caller does not wait behind other syncs.
          file.close().catch(() => {});
        }),
    };
  };

  return {
    create: () => onDisk(create),

    read: (name) =>
      onDisk(async () => {
        const path = join(folder, name);
        const stats = await stat(path).catch(nullIfMissing);
        return stats && { size: stats.size, bytes: readAll(path) };
      }),

    remove: (names) =>
      onDisk(async () => {
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

/**
 * Writes synchronously: filling the page cache takes microseconds, and only `finish` waits for the disk. With
 * asynchronous writes, incoming data would pile up in memory, up to a megabyte per connection.
 */
function writeAll(file: FileHandle, bytes: Uint8Array): void {
  for (let remaining = bytes; remaining.length > 0; ) remaining = remaining.subarray(writeSync(file.fd, remaining));
}

/** Opens the file when the first chunk is requested. An iterator that is never started would leak an open file. */
async function* readAll(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, READ_BYTES);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Runs a disk operation and turns its errors into `AppError('storage_unavailable')`. */
async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new AppError('storage_unavailable', 'Files cannot be read or written right now. Please try again later.', {
      headers: { 'Retry-After': '60' },
      cause,
    });
  }
}

function nullIfMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
