import type { Micros } from '../lib/clock.ts';

/** A blob that is being written. Whoever made it calls `finish`, or `Blobs.remove` with its name. */
export interface BlobWriter {
  readonly name: string;
  write(bytes: Uint8Array): Promise<void>;
  /** Fulfilled once bytes and name are on the disk, synced. */
  finish(): Promise<void>;
}

/** A blob to be read, from the first byte to the last, each piece good until the next is asked for. */
export type StoredBlob = Readonly<{ size: number; bytes: AsyncIterable<Uint8Array> }>;

/** What lies there under a name. */
export type BlobFacts = Readonly<{ name: string; size: number; modifiedAt: Micros }>;

/**
 * Where the bytes of files are kept, sealed, each under a fresh random name. Rows say to what they belong; a blob
 * without a row is an orphan. Methods that cannot reach the disk throw `AppError('storage_unavailable')`.
 */
export interface Blobs {
  create(): Promise<BlobWriter>;
  /** Null if there is none of that name. One that is removed while its bytes are read is read to its end. */
  read(name: string): Promise<StoredBlob | null>;
  /** Also one that is still being written. A name that is not there is no error; what is left of a failure is listed. */
  remove(names: readonly string[]): Promise<void>;
  /** Says that rows refer to these by now: until then they are not in `list`. */
  settle(names: readonly string[]): void;
  /** Everything but what was made here and is not settled. */
  list(): AsyncIterable<BlobFacts>;
}
