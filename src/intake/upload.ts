import { createHash, type Hash } from 'node:crypto';
import { AppError } from '../domain/errors.ts';
import type { FormField } from '../domain/fields/field-type.ts';
import { takesFiles } from '../domain/fields/field-types.ts';
import type { Form } from '../domain/forms/form.ts';
import type { UploadedFile } from '../domain/submissions/submission.ts';
import { formatBytes } from '../lib/bytes.ts';
import { newId } from '../lib/ids.ts';
import type { Blobs, BlobWriter } from '../storage/blobs.ts';
import { FileSealer } from '../vault/file-cipher.ts';
import { isAllowedName, isAllowedType, parseMediaType, SAMPLE_BYTES, sniffType } from './file-type.ts';

/**
 * File limits of a post; `fileTypes` are media types and ranges such as `image/*`, empty for all. `fields` are the
 * form's fields, of which only those of type `file` take files; without fields `acceptsFiles` decides.
 */
export type FileLimits = Readonly<{
  files: number;
  fileBytes: number;
  fileTypes: readonly string[];
  fields: readonly FormField[];
  acceptsFiles: boolean;
}>;

/** Returns the file limits of a form. */
export function fileLimits(
  { maxFiles: files, maxFileBytes: fileBytes }: Readonly<{ maxFiles: number; maxFileBytes: number }>,
  { allowedFileTypes: fileTypes, fields, acceptsFiles }: Pick<Form, 'allowedFileTypes' | 'fields' | 'acceptsFiles'>,
): FileLimits {
  return { files, fileBytes, fileTypes, fields, acceptsFiles };
}

type Part = Readonly<{ field: string; name: string; contentType: string }>;

/** A file being received. */
type OpenFile = Readonly<{ part: Part; blob: BlobWriter; sealer: FileSealer; hash: Hash }> & {
  size: number;
  sample: Buffer;
};

/**
 * The files of one post, sealed to disk while they arrive. The caller must call `discard` at the end in any case; it
 * deletes the blobs unless `release` was called. Methods throw `AppError` beyond the limits.
 */
export class Upload {
  readonly #files: UploadedFile[] = [];
  #blobs: string[] = [];
  #openFile: OpenFile | null = null;
  #receivedBytes = 0;

  constructor(
    private readonly store: Blobs,
    private readonly limits: FileLimits,
  ) {}

  /** Completely received files, in order. */
  get files(): readonly UploadedFile[] {
    return this.#files;
  }

  /** Bytes of all files, refused and unfinished ones included. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  async start(part: Part): Promise<void> {
    const { files, fields, acceptsFiles } = this.limits;
    const isFileField = fields.some((field) => takesFiles(field) && field.name === part.field);
    if (fields.length > 0 ? !isFileField : !acceptsFiles) {
      const errors = [{ field: part.field, code: 'text' }] as const;
      throw new AppError('file_not_expected', `This form does not accept files in "${part.field}".`, { errors });
    }
    if (this.#files.length >= files) {
      const errors = [{ field: part.field, code: 'too_many_files', limit: files }] as const;
      throw new AppError('too_many_files', `The submission has more than ${files} files.`, { errors });
    }
    const blob = await this.store.create();
    this.#blobs.push(blob.name);
    const sealer = new FileSealer();
    this.#openFile = { part, blob, sealer, hash: createHash('sha256'), size: 0, sample: Buffer.alloc(0) };
  }

  async write(bytes: Uint8Array): Promise<void> {
    const file = this.#openFile;
    if (!file) return;
    file.size += bytes.length;
    this.#receivedBytes += bytes.length;
    const { fileBytes } = this.limits;
    if (file.size > fileBytes) {
      const { field } = file.part;
      const message = `The file in "${field}" is larger than the limit of ${formatBytes(fileBytes)}.`;
      throw new AppError('file_too_large', message, { errors: [{ field, code: 'file_too_large', limit: fileBytes }] });
    }
    file.hash.update(bytes);
    if (file.sample.length < SAMPLE_BYTES) {
      file.sample = Buffer.concat([file.sample, bytes.subarray(0, SAMPLE_BYTES - file.sample.length)]);
    }
    for (const pieces of file.sealer.push(bytes)) await file.blob.write(pieces);
  }

  /** Resolves once the file is durable. */
  async finish(): Promise<void> {
    const file = this.#openFile;
    if (!file) return;
    this.#openFile = null;
    const { part, blob, sealer, hash, size, sample } = file;
    const fileType = await sniffType(parseMediaType(part.contentType), sample);
    const { fileTypes } = this.limits;
    if (!isAllowedType(fileTypes, fileType) || !(await isAllowedName(fileTypes, part.name, fileType))) {
      const { field } = part;
      const limit = fileTypes.join(', ');
      const message = `The file in "${field}" has a type or file name that this form does not accept. Allowed types: ${limit}.`;
      throw new AppError('file_type_not_allowed', message, { errors: [{ field, code: 'file_type', limit }] });
    }
    await blob.write(sealer.finish());
    await blob.finish();
    this.#files.push({
      id: newId('file'),
      field: part.field,
      name: part.name,
      contentType: fileType.type,
      size,
      sha256: hash.digest('hex'),
      blob: blob.name,
      key: sealer.key.toString('base64'),
    });
  }

  /** Hands the blobs over: from now on a database row or the sweep is responsible for them. */
  release(): void {
    this.store.markReferenced(this.#blobs);
    this.#blobs = [];
  }

  /** Deletes blobs that were not released; a failed deletion is left to the sweep. */
  async discard(): Promise<void> {
    if (this.#blobs.length > 0) await this.store.remove(this.#blobs).catch(() => {});
  }
}
