import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { UnreadableRecordError } from './vault.ts';

const VERSION = Buffer.from([1]);
const CHUNK = 64 * 1024;
const TAG_BYTES = 16;
const SEALED_CHUNK = CHUNK + TAG_BYTES;

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
  #waiting = Buffer.alloc(0);
  #sealed: Uint8Array[] = [VERSION];
  #number = 0;

  /** The sealed bytes that these complete, which may be none: what does not fill a chunk waits. */
  push(bytes: Uint8Array): Uint8Array {
    const all = Buffer.concat([this.#waiting, bytes]);
    let at = 0;
    // A full chunk may still turn out to be the last: it is sealed once something follows.
    for (; all.length - at > CHUNK; at += CHUNK) this.#seal(all.subarray(at, at + CHUNK), false);
    this.#waiting = all.subarray(at);
    return this.#take();
  }

  /** The rest, with the mark of the end. */
  finish(): Uint8Array {
    this.#seal(this.#waiting, true);
    return this.#take();
  }

  #take(): Uint8Array {
    const sealed = Buffer.concat(this.#sealed);
    this.#sealed = [];
    return sealed;
  }

  #seal(plaintext: Uint8Array, isLast: boolean): void {
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce(this.#number++, isLast));
    const ciphertext = cipher.update(plaintext);
    cipher.final();
    this.#sealed.push(ciphertext, cipher.getAuthTag());
  }
}

/** How many bytes a file of this size has when it is sealed. */
export function sealedSize(size: number): number {
  const chunks = Math.max(1, Math.ceil(size / CHUNK));
  return VERSION.length + size + chunks * TAG_BYTES;
}

/**
 * Opens a sealed file chunk by chunk. Throws `UnreadableRecordError` at the first that is not what was sealed; those
 * before it are genuine and in order.
 */
export async function* openFile(key: Uint8Array, sealed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting = Buffer.alloc(0);
  let number = 0;
  let isBegun = false;
  for await (const bytes of sealed) {
    waiting = waiting.length === 0 ? Buffer.from(bytes) : Buffer.concat([waiting, bytes]);
    if (!isBegun) {
      if (waiting[0] !== VERSION[0]) throw new UnreadableRecordError('of an unknown version');
      waiting = waiting.subarray(VERSION.length);
      isBegun = true;
    }
    for (; waiting.length > SEALED_CHUNK; waiting = waiting.subarray(SEALED_CHUNK)) {
      yield openChunk(key, number++, waiting.subarray(0, SEALED_CHUNK), false);
    }
  }
  yield openChunk(key, number, waiting, true);
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
