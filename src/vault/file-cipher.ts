import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { UnreadableRecordError } from './vault.ts';

const VERSION = Buffer.from([1]);
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;

/**
 * Streaming encryption of one file. The sealed format is
 *
 *     version (1 byte) | chunks of ciphertext (65,536 bytes, the last one shorter) and tag (16)
 *
 * Each chunk is sealed with AES-256-GCM under the file's random key and a nonce of chunk number (11 bytes) and
 * last-chunk flag (1): the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015). Truncated, extended,
 * reordered or swapped files don't open. The key is stored in the submission's sealed record, so deleting the row makes
 * the file unreadable.
 */
export class FileSealer {
  readonly key = randomBytes(32);
  // Both buffers are reused for the whole file: new ones per chunk would create garbage faster than it is collected.
  readonly #plaintext = Buffer.allocUnsafe(CHUNK_BYTES);
  readonly #sealed = Buffer.allocUnsafe(VERSION.length + SEALED_CHUNK_BYTES);
  #length = 0;
  #number = 0;

  /** Yields the chunks that `bytes` complete and buffers the rest. Each chunk is valid only until the next one. */
  *push(bytes: Uint8Array): Generator<Uint8Array> {
    for (let rest = bytes; rest.length > 0; ) {
      // A full chunk may be the last one; it is sealed when more data follows.
      if (this.#length === CHUNK_BYTES) yield this.#seal(false);
      const part = rest.subarray(0, CHUNK_BYTES - this.#length);
      this.#plaintext.set(part, this.#length);
      this.#length += part.length;
      rest = rest.subarray(part.length);
    }
  }

  /** Returns the last chunk. */
  finish(): Uint8Array {
    return this.#seal(true);
  }

  #seal(isLast: boolean): Uint8Array {
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce(this.#number, isLast));
    let end = this.#number === 0 ? VERSION.copy(this.#sealed) : 0;
    end += cipher.update(this.#plaintext.subarray(0, this.#length)).copy(this.#sealed, end);
    cipher.final();
    end += cipher.getAuthTag().copy(this.#sealed, end);
    this.#number += 1;
    this.#length = 0;
    return this.#sealed.subarray(0, end);
  }
}

/** Returns the sealed size of a file of `size` bytes. */
export function sealedSize(size: number): number {
  const chunks = Math.max(1, Math.ceil(size / CHUNK_BYTES));
  return VERSION.length + size + chunks * TAG_BYTES;
}

/**
 * Opens a sealed file chunk by chunk. Throws `UnreadableRecordError` at the first invalid chunk; the chunks before it
 * are authentic and in order.
 */
export async function* openFile(key: Uint8Array, sealed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.allocUnsafe(SEALED_CHUNK_BYTES);
  let length = 0;
  let number = 0;
  let hasStarted = false;
  for await (const bytes of sealed) {
    if (!hasStarted && bytes[0] !== VERSION[0]) throw new UnreadableRecordError('unknown format version');
    for (let rest = hasStarted ? bytes : bytes.subarray(VERSION.length); rest.length > 0; ) {
      if (length === SEALED_CHUNK_BYTES) {
        yield openChunk(key, number++, chunk, false);
        length = 0;
      }
      const part = rest.subarray(0, SEALED_CHUNK_BYTES - length);
      chunk.set(part, length);
      length += part.length;
      rest = rest.subarray(part.length);
    }
    hasStarted = true;
  }
  yield openChunk(key, number, chunk.subarray(0, length), true);
}

function openChunk(key: Uint8Array, number: number, sealed: Buffer, isLast: boolean): Buffer {
  if (sealed.length < TAG_BYTES) throw new UnreadableRecordError('truncated');
  const decipher = createDecipheriv('aes-256-gcm', key, nonce(number, isLast));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const plaintext = decipher.update(sealed.subarray(0, -TAG_BYTES));
  try {
    decipher.final();
  } catch (cause) {
    throw new UnreadableRecordError('modified, truncated or swapped', { cause });
  }
  return plaintext;
}

function nonce(number: number, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUIntBE(number, 5, 6);
  bytes[11] = isLast ? 1 : 0;
  return bytes;
}
