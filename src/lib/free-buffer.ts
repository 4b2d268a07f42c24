/**
 * Frees the memory of bytes at once, because large ones arrive faster than garbage collection runs. Does nothing if the
 * memory has other bytes too. The caller must own the bytes: a reader may use its buffer again.
 */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
