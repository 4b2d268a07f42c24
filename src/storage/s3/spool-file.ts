import { createHash, randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { DiskWatch } from '../disk-watch.ts';
import type { ObjectContent } from './s3-bucket.ts';

const READ_BYTES = 64 * 1024;

/**
 * A sealed file on the local disk until its upload: a slow visitor holds no memory, and the request to the bucket knows
 * length and hash. The file has no name any more, so it ends with the process.
 */
export class SpoolFile {
  // The hash of the protocol's header against transmission errors; the seal is against attackers.
  readonly #hash = createHash('md5');
  #size = 0;
  #isClosed = false;

  private constructor(
    private readonly file: FileHandle,
    private readonly disk: DiskWatch,
  ) {}

  static async create(folder: string, disk: DiskWatch): Promise<SpoolFile> {
    const path = join(folder, `upload-${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600);
    await unlink(path);
    return new SpoolFile(file, disk);
  }

  write(bytes: Uint8Array): void {
    this.disk.reserve(bytes.length);
    this.#hash.update(bytes);
    for (let rest = bytes; rest.length > 0; ) {
      const written = writeSync(this.file.fd, rest, 0, rest.length, this.#size);
      this.#size += written;
      rest = rest.subarray(written);
    }
  }

  /** Returns the content. Nothing may be written afterwards. */
  content(): ObjectContent {
    const size = this.#size;
    return { size, md5: this.#hash.digest('base64'), open: (onProgress) => this.#stream(size, onProgress) };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.file.close();
  }

  #stream(size: number, onProgress: () => void): ReadableStream<Uint8Array<ArrayBuffer>> {
    let position = 0;
    return new ReadableStream({
      pull: async (controller) => {
        onProgress();
        const { bytesRead, buffer } = await this.file.read(new Uint8Array(READ_BYTES), 0, READ_BYTES, position);
        position += bytesRead;
        if (bytesRead > 0) controller.enqueue(buffer.subarray(0, bytesRead));
        if (position >= size) controller.close();
        else if (bytesRead === 0) controller.error(new Error('spool file is too short'));
      },
    });
  }
}
