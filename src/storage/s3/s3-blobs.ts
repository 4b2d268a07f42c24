import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WRITER_ID } from '../../domain/backup.ts';
import { AppError, SetupError } from '../../domain/errors.ts';
import { inheritOwner, syncFolder } from '../../lib/file-system.ts';
import { freeBuffer } from '../../lib/free-buffer.ts';
import type { Logger } from '../../lib/log.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { type Blobs, type BlobWriter, BucketError, type StoredBlob, withFiles } from '../blobs.ts';
import type { DiskWatch } from '../disk-watch.ts';
import type { S3Bucket } from './s3-bucket.ts';
import { SpoolFile } from './spool-file.ts';

/** Uploads at once; each has about 5 MiB in memory at most. */
const MAX_UPLOADS = 24;
/** Longest wait of an upload for others, in milliseconds. */
const MAX_WAIT_MS = 5_000;
/** With the uploads and the shares of `OutgoingShares` below the 256 requests that the runtime allows. */
const MAX_DELETIONS = 8;
/** Time after a request without an answer in which nothing is deleted, so that deletions delay nobody. */
const PAUSE_AFTER_FAILURE_MS = 5_000;
const RANDOM_BYTES = 12;

type Options = Readonly<{
  bucket: S3Bucket;
  /** Id of the data directory, 8 hex digits. Names begin with it, and `list` shows no others. */
  writerId: string;
  /** Folder of files that are being received. */
  spoolFolder: string;
  disk: DiskWatch;
  log: Logger;
}>;

/** A new blob; `isStored` once the bucket has confirmed it. */
type NewBlob = { readonly spool: SpoolFile; isStored: boolean };

/**
 * Creates a blob store in a bucket. A sealed file is spooled to the local disk while it arrives, then uploaded by one
 * request: a refused post never reaches the bucket, and there are no multipart uploads to clean up.
 */
export function s3Blobs({ bucket, writerId, spoolFolder, disk, log }: Options): Blobs {
  const unreferenced = new Map<string, NewBlob>();
  const uploads = new Semaphore(MAX_UPLOADS);

  const markReferenced = (names: readonly string[]) => {
    for (const name of names) unreferenced.delete(name);
  };

  const upload = async (name: string, blob: NewBlob) => {
    const queuedAt = performance.now();
    await uploads.run(async () => {
      if (performance.now() - queuedAt > MAX_WAIT_MS) throw new BucketError('PUT', 'TIMEOUT in the queue', true);
      await bucket.put(name, blob.spool.content());
      blob.isStored = true;
    });
    await blob.spool.close();
  };

  /** Deletes what may be in the bucket. An upload without an answer is left to the sweep: it may still arrive. */
  const removeOne = async (name: string, blob: NewBlob | undefined) => {
    await blob?.spool.close();
    if (blob && !blob.isStored) return;
    if (bucket.sinceFailure < PAUSE_AFTER_FAILURE_MS) throw new BucketError('DELETE', 'TIMEOUT a moment ago', true);
    await bucket.delete(name);
  };

  return {
    create: () =>
      withFiles(async (): Promise<BlobWriter> => {
        const name = `${writerId}${randomBytes(RANDOM_BYTES).toString('hex')}`;
        const blob: NewBlob = { spool: await SpoolFile.create(spoolFolder, disk), isStored: false };
        unreferenced.set(name, blob);
        return {
          name,
          write: (pieces) =>
            withFiles(async () => {
              for (const piece of pieces) {
                blob.spool.write(piece);
                freeBuffer(piece);
              }
            }),
          finish: () => withFiles(() => upload(name, blob)),
        };
      }),

    read: (name) => bucket.read(name),

    remove: (names) =>
      withFiles(async () => {
        const blobs = names.map((name) => [name, unreferenced.get(name)] as const);
        // Before the removal, so that `list` shows a blob that could not be removed.
        markReferenced(names);
        const deletions = new Semaphore(MAX_DELETIONS);
        const removals = blobs.map(([name, blob]) => deletions.run(() => removeOne(name, blob)));
        const results = await Promise.allSettled(removals);
        const failed = results.filter((result) => result.status === 'rejected');
        if (!failed[0]) return;
        const fields = { files: failed.length, error: getCode(failed[0].reason) };
        log.warn('could not delete files in the bucket; the sweep deletes them later', fields);
        throw failed[0].reason;
      }),

    markReferenced,

    list: async function* () {
      for await (const { name, size, modifiedAt } of bucket.list(writerId)) {
        if (!unreferenced.has(name)) yield { name, size, modifiedAt: modifiedAt * 1000 };
      }
    },
  };
}

function getCode(error: unknown): string {
  const cause = error instanceof AppError ? error.cause : error;
  return cause instanceof BucketError ? cause.code : 'unknown';
}

/**
 * Returns the id of this data directory in names of objects, and creates it at the first call. Backups leave it out:
 * two directories that use one bucket, such as an instance and its restored copy, never sweep each other's files. `origin`
 * identifies the database that refers to them. Throws `SetupError` if the directory belongs to another one.
 */
export function getWriterId(dataDir: string, origin: string): string {
  const path = join(dataDir, WRITER_ID);
  const [id = '', owner] = (readId(path) ?? createId(dataDir, path, origin)).split('\n');
  if (owner !== undefined && owner !== origin) {
    throw new SetupError(
      `${path} names the files of another database. Set DATABASE_URL to that database, or DATA_DIR to a directory of its own for this one.`,
    );
  }
  if (/^[0-9a-f]{8}$/.test(id)) return id;
  throw new SetupError(`${path} is damaged. Delete it; the next start creates a new one.`);
}

function readId(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Links a complete file into place, because another process may do the same. */
function createId(dataDir: string, path: string, origin: string): string {
  const temporary = join(dataDir, `${WRITER_ID}-${randomUUID()}`);
  try {
    writeFileSync(temporary, `${randomBytes(4).toString('hex')}\n${origin}\n`, { mode: 0o600, flush: true });
    inheritOwner(temporary);
    linkSync(temporary, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  syncFolder(dataDir);
  return readId(path) ?? '';
}

/** Reads and writes sealed files under given names in a bucket. They are spooled to a folder for their upload. */
export function s3Copies(bucket: S3Bucket, spoolFolder: string, disk: DiskWatch) {
  return {
    read: (name: string): Promise<StoredBlob | null> => bucket.read(name),
    put: async (name: string, { bytes }: StoredBlob): Promise<void> => {
      const spool = await SpoolFile.create(spoolFolder, disk);
      try {
        for await (const chunk of bytes) spool.write(chunk);
        await bucket.put(name, spool.content());
      } finally {
        await spool.close();
      }
    },
  };
}
