import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { UnreadableRecordError } from './vault.ts';

const VERSION = 1;
const VERSION_BYTES = 1;
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;
/**
 * Plaintext collected before a write. One write of 100 KiB is cheaper than five small ones, and memory that is freed soon
 * after sealing is still in the processor's cache when the next file gets it.
 */
const HELD_BYTES = 2 * CHUNK_BYTES;
/** Buffers of finished files for the next ones. Garbage is not collected fast enough, and fresh memory is slow. */
const spareBuffers: Buffer[] = [];
const MAX_SPARE_BUFFERS = 32;

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
  /** Plaintext that is not sealed yet. */
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;
  #number = 0;

  /** Copies `bytes`. Yields the sealed pieces of each full buffer. */
  *push(bytes: Uint8Array): Generator<Uint8Array[]> {
    for (let rest = bytes; rest.length > 0; ) {
      // The last chunk may end the file, so a full buffer is sealed when more data follows.
      if (this.#length === HELD_BYTES) yield this.#seal(false);
      if (this.#buffer.length === 0) this.#buffer = spareBuffers.pop() ?? Buffer.allocUnsafeSlow(HELD_BYTES);
      const part = rest.subarray(0, HELD_BYTES - this.#length);
      this.#buffer.set(part, this.#length);
      this.#length += part.length;
      rest = rest.subarray(part.length);
    }
  }

  /** Returns the pieces of the last chunks. */
  finish(): Uint8Array[] {
    const pieces = this.#seal(true);
    if (this.#buffer.length > 0 && spareBuffers.length < MAX_SPARE_BUFFERS) spareBuffers.push(this.#buffer);
    this.#buffer = Buffer.alloc(0);
    return pieces;
  }

  /** Seals and clears the buffer. Returns pieces instead of joined chunks, since copying costs more than a further write. */
  #seal(isLast: boolean): Uint8Array[] {
    const pieces: Uint8Array[] = this.#number === 0 ? [Uint8Array.of(VERSION)] : [];
    let start = 0;
    do {
      const end = Math.min(start + CHUNK_BYTES, this.#length);
      const cipher = createCipheriv('aes-256-gcm', this.key, nonce(this.#number++, isLast && end === this.#length));
      pieces.push(cipher.update(this.#buffer.subarray(start, end)));
      cipher.final();
      pieces.push(cipher.getAuthTag());
      start = end;
    } while (start < this.#length);
    this.#buffer.fill(0, 0, this.#length);
    this.#length = 0;
    return pieces;
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
