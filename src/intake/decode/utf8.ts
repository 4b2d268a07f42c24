const lossy = new TextDecoder('utf-8', { ignoreBOM: true });

/** Reads text as browsers do: what is not UTF-8 becomes U+FFFD, and a byte order mark is a character like any other. */
export function lossyUtf8(bytes: Uint8Array): string {
  return lossy.decode(bytes);
}
