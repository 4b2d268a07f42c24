const lossy = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes UTF-8 like browsers: invalid bytes become U+FFFD, and a byte order mark is kept. */
export const lossyUtf8 = (bytes: Uint8Array): string => lossy.decode(bytes);
