import { randomBytes } from 'node:crypto';
import { AppError } from '../../domain/errors.ts';
import { freeBuffer } from '../../lib/free-buffer.ts';
import type { Logger } from '../../lib/log.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { type Blobs, type BlobWriter, BucketError } from '../blobs.ts';
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
      available(async (): Promise<BlobWriter> => {
        const name = `${writerId}${randomBytes(RANDOM_BYTES).toString('hex')}`;
        const blob: NewBlob = { spool: await SpoolFile.create(spoolFolder, disk), isStored: false };
        unreferenced.set(name, blob);
        return {
          name,
          write: (bytes) =>
            available(async () => {
              blob.spool.write(bytes);
              freeBuffer(bytes);
            }),
          finish: () => available(() => upload(name, blob)),
        };
      }),

    read: (name) => bucket.read(name),

    remove: (names) =>
      available(async () => {
        const blobs = names.map((name) => [name, unreferenced.get(name)] as const);
        // Before the removal, so that `list` shows a blob that could not be removed.
        markReferenced(names);
        const deletions = new Semaphore(MAX_DELETIONS);
        const results = await Promise.allSettled(
          blobs.map(([name, blob]) => deletions.run(() => removeOne(name, blob))),
        );
        const failed = results.filter((result) => result.status === 'rejected');
        if (!failed[0]) return;
        log.warn('could not delete files in the bucket; the sweep deletes them later', {
          files: failed.length,
          error: getCode(failed[0].reason),
        });
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

/** Runs an operation and turns its errors into `AppError('storage_unavailable')`. */
async function available<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('storage_unavailable', 'Files cannot be read or written right now. Please try again later.', {
      headers: { 'Retry-After': '60' },
      cause,
    });
  }
}

function getCode(error: unknown): string {
  const cause = error instanceof AppError ? error.cause : error;
  return cause instanceof BucketError ? cause.code : 'unknown';
}
