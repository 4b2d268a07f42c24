import type { Micros } from '../lib/clock.ts';
import { randomString } from '../lib/ids.ts';

/** The fixed scope of a key: GET only, or all methods. */
export type Scope = 'read' | 'read_write';

/** A stored API key. Its secret is stored only as a SHA-256 hash, which is also the lookup key. */
export type ApiKey = Readonly<{
  id: string;
  teamId: string;
  name: string;
  scope: Scope;
  /** The forms that the key is limited to; null for all forms of the team. */
  formIds: readonly string[] | null;
  /** The user who created the key; null for a command. */
  createdBy: string | null;
  createdAt: Micros;
  expiresAt: Micros | null;
  revokedAt: Micros | null;
  lastUsedAt: Micros | null;
}>;

const PREFIX = 'fs_live_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PATTERN = /^fs_live_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** Generates a secret: `fs_live_`, 30 random base62 characters (178 bits) and a checksum of 6 characters. */
export function newSecret(): string {
  const random = randomString(30, BASE62);
  return PREFIX + random + checksum(random);
}

/** Checks format and checksum, so that typos and guesses are rejected without a database query. */
export function isWellFormedSecret(secret: string): boolean {
  const match = PATTERN.exec(secret);
  return match?.[1] !== undefined && checksum(match[1]) === match[2];
}

/** Hashes a secret with SHA-256, in hex. A fast hash is sufficient for 178 random bits. */
export const hashSecret = (secret: string): string => new Bun.CryptoHasher('sha256').update(secret).digest('hex');

/** Reports whether the key is neither revoked nor expired; `expiresAt` is exclusive. */
export function isValidAt(key: ApiKey, now: Micros): boolean {
  return key.revokedAt === null && (key.expiresAt === null || now < key.expiresAt);
}

/** Reports whether the key may see the form, by the form's id. */
export function allowsForm({ formIds }: ApiKey, formId: string): boolean {
  return formIds === null || formIds.includes(formId);
}

/** Computes a CRC-32 as six base62 digits. */
function checksum(text: string): string {
  let remaining = Bun.hash.crc32(PREFIX + text);
  let digits = '';
  for (let position = 0; position < 6; position++) {
    digits = BASE62.charAt(remaining % 62) + digits;
    remaining = Math.floor(remaining / 62);
  }
  return digits;
}
