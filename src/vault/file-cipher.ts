import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { UnreadableRecordError } from './vault.ts';

const VERSION = 1;
const VERSION_BYTES = 1;
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
  /** Plaintext of an incomplete chunk. Reused for the whole file, because garbage is not collected fast enough. */
  #buffer = Buffer.alloc(0);
  #length = 0;
  #number = 0;

  /** Yields the sealed pieces of the chunks that `bytes` complete and buffers the rest. */
  *push(bytes: Uint8Array): Generator<Uint8Array> {
    for (let rest = bytes; rest.length > 0; ) {
      // A full chunk may be the last one; it is sealed when more data follows.
      if (this.#length === CHUNK_BYTES) yield* this.#sealBuffer(false);
      if (this.#length === 0 && rest.length > CHUNK_BYTES) {
        yield* this.#seal(rest.subarray(0, CHUNK_BYTES), false);
        rest = rest.subarray(CHUNK_BYTES);
        continue;
      }
      const part = rest.subarray(0, CHUNK_BYTES - this.#length);
      if (this.#buffer.length === 0) this.#buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      this.#buffer.set(part, this.#length);
      this.#length += part.length;
      rest = rest.subarray(part.length);
    }
  }

  /** Yields the pieces of the last chunk. */
  finish(): Generator<Uint8Array> {
    return this.#sealBuffer(true);
  }

  *#sealBuffer(isLast: boolean): Generator<Uint8Array> {
    yield* this.#seal(this.#buffer.subarray(0, this.#length), isLast);
    this.#length = 0;
  }

  /** Yields the pieces instead of a joined chunk, since copying costs more than a further write. */
  *#seal(plaintext: Uint8Array, isLast: boolean): Generator<Uint8Array> {
    if (this.#number === 0) yield Uint8Array.of(VERSION);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce(this.#number, isLast));
    yield cipher.update(plaintext);
    cipher.final();
    yield cipher.getAuthTag();
    this.#number += 1;
  }
}

/** Returns the sealed size of a file of `size` bytes. */
export function sealedSize(size: number): number {
  const chunks = Math.max(1, Math.ceil(size / CHUNK_BYTES));
  return VERSION_BYTES + size + chunks * TAG_BYTES;
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
    if (!hasStarted && bytes[0] !== VERSION) throw new UnreadableRecordError('unknown format version');
    for (let rest = hasStarted ? bytes : bytes.subarray(VERSION_BYTES); rest.length > 0; ) {
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
