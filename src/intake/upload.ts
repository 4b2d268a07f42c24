import { createHash, type Hash } from 'node:crypto';
import { AppError } from '../domain/errors.ts';
import type { UploadedFile } from '../domain/submission.ts';
import { formatBytes } from '../lib/bytes.ts';
import { newId } from '../lib/ids.ts';
import type { Blobs, BlobWriter } from '../storage/blobs.ts';
import { FileSealer } from '../vault/file-cipher.ts';
import { claimedType, isAllowedName, isAllowedType, SAMPLE_BYTES, sniffType } from './file-type.ts';

/** What a post may carry; `fileTypes` are media types and ranges, none for all. */
export type FileLimits = Readonly<{ files: number; fileBytes: number; fileTypes: readonly string[] }>;

type Part = Readonly<{ field: string; name: string; contentType: string }>;

/** The file that is arriving. */
type Arriving = Readonly<{ part: Part; blob: BlobWriter; sealer: FileSealer; hash: Hash }> & {
  size: number;
  sample: Buffer;
};

/**
 * The files of one post, each sealed to the disk while it arrives, under a fresh name. Until `release` they belong to
 * the post: whoever made this calls `discard` at the end, whatever happened. Throws `AppError` beyond the limits.
 */
export class Upload {
  readonly #files: UploadedFile[] = [];
  #blobs: string[] = [];
  #arriving: Arriving | null = null;

  constructor(
    private readonly store: Blobs,
    private readonly limits: FileLimits,
  ) {}

  /** Those that have arrived whole, in order. */
  get files(): readonly UploadedFile[] {
    return this.#files;
  }

  async begin(part: Part): Promise<void> {
    const { files } = this.limits;
    if (this.#files.length >= files) {
      throw new AppError('too_many_files', `There are more than ${files} files.`, {
        errors: [{ field: part.field, code: 'too_many_files', limit: files }],
      });
    }
    const blob = await this.store.create();
    this.#blobs.push(blob.name);
    const sealer = new FileSealer();
    this.#arriving = { part, blob, sealer, hash: createHash('sha256'), size: 0, sample: Buffer.alloc(0) };
  }

  async write(bytes: Uint8Array): Promise<void> {
    const file = this.#arriving;
    if (!file) return;
    file.size += bytes.length;
    const { fileBytes } = this.limits;
    if (file.size > fileBytes) {
      const { field } = file.part;
      throw new AppError(
        'file_too_large',
        `The file in "${field}" is larger than the ${formatBytes(fileBytes)} that are accepted.`,
        {
          errors: [{ field, code: 'file_too_large', limit: fileBytes }],
        },
      );
    }
    file.hash.update(bytes);
    if (file.sample.length < SAMPLE_BYTES) {
      file.sample = Buffer.concat([file.sample, bytes.subarray(0, SAMPLE_BYTES - file.sample.length)]);
    }
    for (const sealed of file.sealer.push(bytes)) await file.blob.write(sealed);
  }

  /** Fulfilled once the file is on the disk, synced. */
  async end(): Promise<void> {
    const file = this.#arriving;
    if (!file) return;
    this.#arriving = null;
    const { part, blob, sealer, hash, size, sample } = file;
    const found = await sniffType(claimedType(part.contentType), sample);
    const { fileTypes } = this.limits;
    if (!isAllowedType(fileTypes, found) || !isAllowedName(fileTypes, part.name, found)) {
      const message = `The file in "${part.field}" is not of a type that this form takes, or its name is not: ${fileTypes.join(', ')}.`;
      throw new AppError('file_type_not_allowed', message, { errors: [{ field: part.field, code: 'file_type' }] });
    }
    await blob.write(sealer.finish());
    await blob.finish();
    this.#files.push({
      id: newId('file'),
      field: part.field,
      name: part.name,
      contentType: found.type,
      size,
      sha256: hash.digest('hex'),
      blob: blob.name,
      key: sealer.key.toString('base64'),
    });
  }

  /** Says that from now on a row, or the sweep, is responsible for the blobs. */
  release(): void {
    this.store.markReferenced(this.#blobs);
    this.#blobs = [];
  }

  /** Removes what was not released; what cannot be removed now is left to the sweep. */
  async discard(): Promise<void> {
    if (this.#blobs.length > 0) await this.store.remove(this.#blobs).catch(() => {});
  }
}
