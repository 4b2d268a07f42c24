import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { UnreadableRecordError } from './vault.ts';

const VERSION = Buffer.from([1]);
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;

/**
 * Seals one file while it arrives. Sealed, it is
 *
 *     version (1 byte) | chunks of ciphertext (65,536 bytes, the last one of what is left) and tag (16)
 *
 * each under AES-256-GCM with the file's own random key and a nonce of the chunk's number (11 bytes) and whether it is
 * the last (1): the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015). A file that was cut, lengthened,
 * reordered or exchanged does not open. The key is kept in the submission's sealed record, so that the file is gone
 * for good with its row.
 */
export class FileSealer {
  readonly key = randomBytes(32);
  // A file is read and sealed in the same two places from its first byte to its last: with fresh ones for each piece,
  // uploads would make garbage faster than it is collected.
  readonly #plaintext = Buffer.allocUnsafe(CHUNK_BYTES);
  readonly #sealed = Buffer.allocUnsafe(VERSION.length + SEALED_CHUNK_BYTES);
  #length = 0;
  #number = 0;

  /** The sealed pieces that these bytes complete, each good until the next: what does not fill a chunk waits. */
  *push(bytes: Uint8Array): Generator<Uint8Array> {
    for (let rest = bytes; rest.length > 0; ) {
      // A full chunk may still turn out to be the last: it is sealed once something follows.
      if (this.#length === CHUNK_BYTES) yield this.#seal(false);
      const part = rest.subarray(0, CHUNK_BYTES - this.#length);
      this.#plaintext.set(part, this.#length);
      this.#length += part.length;
      rest = rest.subarray(part.length);
    }
  }

  /** The rest, with the mark of the end. */
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

/** How many bytes a file of this size has when it is sealed. */
export function sealedSize(size: number): number {
  const chunks = Math.max(1, Math.ceil(size / CHUNK_BYTES));
  return VERSION.length + size + chunks * TAG_BYTES;
}

/**
 * Opens a sealed file chunk by chunk. Throws `UnreadableRecordError` at the first that is not what was sealed; those
 * before it are genuine and in order.
 */
export async function* openFile(key: Uint8Array, sealed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.allocUnsafe(SEALED_CHUNK_BYTES);
  let length = 0;
  let number = 0;
  let hasStarted = false;
  for await (const bytes of sealed) {
    if (!hasStarted && bytes[0] !== VERSION[0]) throw new UnreadableRecordError('of an unknown version');
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
  if (sealed.length < TAG_BYTES) throw new UnreadableRecordError('cut short');
  const decipher = createDecipheriv('aes-256-gcm', key, nonce(number, isLast));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const plaintext = decipher.update(sealed.subarray(0, -TAG_BYTES));
  try {
    decipher.final();
  } catch (cause) {
    throw new UnreadableRecordError('changed, cut short or exchanged', { cause });
  }
  return plaintext;
}

function nonce(number: number, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUIntBE(number, 5, 6);
  bytes[11] = isLast ? 1 : 0;
  return bytes;
}
