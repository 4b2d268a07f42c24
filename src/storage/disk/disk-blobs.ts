import { mkdirSync, writeSync } from 'node:fs';
import { type FileHandle, open, opendir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../domain/errors.ts';
import { syncFolder } from '../../lib/sync-folder.ts';
import type { Blobs, BlobWriter } from '../blobs.ts';
import type { DiskWatch } from '../disk-watch.ts';

const READ_BYTES = 64 * 1024;

/** Blobs as files in one folder, which is made if it is not there. `disk` says whether they may grow, and is told of syncs that fail. */
export function diskBlobs(folder: string, disk: DiskWatch): Blobs {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  syncFolder(dirname(folder));
  const unsettled = new Map<string, FileHandle>();

  const settle = (names: readonly string[]) => {
    for (const name of names) unsettled.delete(name);
  };

  const sync = async (handle: FileHandle, what: 'file' | 'folder') => {
    try {
      await handle.sync();
    } catch (error) {
      disk.syncFailed(what, error instanceof Error && 'code' in error ? String(error.code) : 'unknown');
      throw error;
    }
  };

  const syncNames = async () => {
    const handle = await open(folder, 'r');
    try {
      await sync(handle, 'folder');
    } finally {
      await handle.close();
    }
  };

  const create = async (): Promise<BlobWriter> => {
    const name = crypto.randomUUID().replaceAll('-', '');
    const file = await open(join(folder, name), 'wx', 0o600);
    unsettled.set(name, file);
    return {
      name,
      write: async (bytes) => {
        disk.requireRoom(bytes.length);
        await onDisk(async () => writeAll(file, bytes));
      },
      finish: () =>
        onDisk(async () => {
          await sync(file, 'file');
          await file.close();
          await syncNames();
        }),
    };
  };

  return {
    create: () => onDisk(create),

    read: (name) =>
      onDisk(async () => {
        const path = join(folder, name);
        const facts = await stat(path).catch(nullIfMissing);
        return facts && { size: facts.size, bytes: readAll(path) };
      }),

    remove: (names) =>
      onDisk(async () => {
        for (const name of names) await unsettled.get(name)?.close();
        // Before they are removed: what is left of a failure is for the sweep to find.
        settle(names);
        for (const name of names) await rm(join(folder, name), { force: true });
      }),

    settle,

    list: async function* () {
      for await (const { name } of await opendir(folder)) {
        if (unsettled.has(name)) continue;
        const facts = await stat(join(folder, name)).catch(nullIfMissing);
        if (facts) yield { name, size: facts.size, modifiedAt: Math.floor(facts.mtimeMs * 1000) };
      }
    },
  };
}

/**
 * Not asynchronous: this fills the system's memory, which takes microseconds, and only `finish` waits for the disk. What
 * arrived while one waited for each piece would pile up, a megabyte for every connection.
 */
function writeAll(file: FileHandle, bytes: Uint8Array): void {
  for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(writeSync(file.fd, rest));
}

/** Opens the file only when the first bytes are asked for: until then no one is there who would close it. */
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

async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new AppError(
      'storage_unavailable',
      'The disk does not take or give files just now. Please try again later.',
      {
        headers: { 'Retry-After': '60' },
        cause,
      },
    );
  }
}

function nullIfMissing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
