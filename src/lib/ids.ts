import { randomInt } from 'node:crypto';

/** An opaque id that sorts by creation: the prefix, an underscore and a UUID version 7 (RFC 9562) in 32 hex digits. */
export function newId(prefix: string): string {
  return `${prefix}_${Bun.randomUUIDv7('hex').replaceAll('-', '')}`;
}

/** `length` random characters drawn evenly from `alphabet`. */
export function randomString(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
