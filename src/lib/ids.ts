import { randomInt } from 'node:crypto';

/** Generates an id that sorts by creation time: prefix, underscore and a UUID version 7 (RFC 9562) in 32 hex digits. */
export function newId(prefix: string): string {
  return `${prefix}_${Bun.randomUUIDv7('hex').replaceAll('-', '')}`;
}

/** Generates a string of `length` characters, drawn uniformly from `alphabet` by a cryptographic generator. */
export function randomString(length: number, alphabet: string): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
