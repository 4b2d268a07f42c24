/** Formats a size in bytes, KiB or MiB: `12.5 KiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const kib = bytes / 1024;
  return kib >= 1024 ? `${+(kib / 1024).toFixed(1)} MiB` : `${+kib.toFixed(1)} KiB`;
}
