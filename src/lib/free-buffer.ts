/**
 * Frees the memory of bytes that nobody reads any more, because large ones arrive faster than garbage collection runs.
 * Bytes that share their memory with others stay.
 */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
