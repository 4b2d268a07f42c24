import { AppError } from '../domain/errors.ts';
import type { Micros } from '../lib/clock.ts';

/** A blob being written. The caller must call `finish`, or `Blobs.remove` with its name. */
export interface BlobWriter {
  readonly name: string;
  /** Writes the pieces one after the other. Takes them over: their memory may be freed. */
  write(pieces: readonly Uint8Array[]): Promise<void>;
  /** Resolves when the whole content is durable: synced to disk with its directory entry, or confirmed by the bucket. */
  finish(): Promise<void>;
}

/** A blob opened for reading in order. Each chunk is only valid until the next one is requested. */
export type StoredBlob = Readonly<{ size: number; bytes: AsyncIterable<Uint8Array> }>;

/** The directory entry of a blob. `size` is in bytes. */
export type BlobInfo = Readonly<{ name: string; size: number; modifiedAt: Micros }>;

/** The failure of a bucket. `code` is its error code, such as `AccessDenied`, or that of the network, or `TIMEOUT`. */
export class BucketError extends Error {
  override readonly name = 'BucketError';

  constructor(
    operation: string,
    readonly code: string,
    /** Repeating the request may help. */
    readonly isTransient: boolean,
  ) {
    super(`${operation} failed with ${code}`);
  }
}

/**
 * Sealed file contents, each under a new random name. Database rows link blobs to submissions; a blob without a row is
 * an orphan. Methods throw `AppError('storage_unavailable')` if the storage cannot be read or written.
 */
export interface Blobs {
  create(): Promise<BlobWriter>;
  /** Returns null if the blob does not exist. A blob removed while it is being read can be read to its end. */
  read(name: string): Promise<StoredBlob | null>;
  /** Removes blobs, also unfinished ones. Missing names are ignored; a blob that could not be removed is in `list`. */
  remove(names: readonly string[]): Promise<void>;
  /** Declares that database rows refer to these new blobs. `list` omits new blobs until then. */
  markReferenced(names: readonly string[]): void;
  /** Lists all blobs except those created by this process and not yet marked as referenced. */
  list(): AsyncIterable<BlobInfo>;
}

/** Returns the error of files that cannot be read or written now; an `AppError` as it is. */
export function filesUnavailable(
  cause: unknown,
  message = 'Files cannot be read or written right now. Please try again later.',
): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError('storage_unavailable', message, { headers: { 'Retry-After': '60' }, cause });
}

/** Runs work with files and turns its errors into `AppError('storage_unavailable')`. */
export async function withFiles<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw filesUnavailable(error);
  }
}
