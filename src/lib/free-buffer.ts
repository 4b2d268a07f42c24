/**
 * Frees the memory of bytes at once, because large ones arrive faster than garbage collection runs. Does nothing if the
 * memory has other bytes too. The caller must own the bytes: a reader may use its buffer again.
 */
export function freeBuffer({ buffer, byteOffset, byteLength }: Uint8Array): void {
  // The runtime's ciphers allocate one byte more than they return.
  const isWhole = byteOffset === 0 && buffer.byteLength - byteLength <= 1;
  if (isWhole && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
