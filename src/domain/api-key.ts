import type { Micros } from '../lib/clock.ts';
import { randomString } from '../lib/ids.ts';

/** What a key may do, for its whole life: GET alone, or DELETE and PATCH too. */
export type Scope = 'read' | 'read_write';

/** A key as it is kept: of the secret only the SHA-256, by which it is found. */
export type ApiKey = Readonly<{
  id: string;
  teamId: string;
  name: string;
  scope: Scope;
  createdAt: Micros;
  expiresAt: Micros | null;
  revokedAt: Micros | null;
  lastUsedAt: Micros | null;
}>;

const PREFIX = 'fs_live_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = /^fs_live_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** `fs_live_`, 30 random base62 characters (178 bits) and 6 of checksum. */
export function newSecret(): string {
  const random = randomString(30, BASE62);
  return PREFIX + random + checksum(random);
}

/** Whether it can be a key at all, told without asking the database: a slip of the hand or a guess fails here. */
export function isWellFormedSecret(secret: string): boolean {
  const match = SHAPE.exec(secret);
  return match?.[1] !== undefined && checksum(match[1]) === match[2];
}

/** SHA-256 in hex. A fast hash is right here: 178 random bits cannot be searched. */
export function hashSecret(secret: string): string {
  return new Bun.CryptoHasher('sha256').update(secret).digest('hex');
}

/** Whether the key is neither revoked nor expired; at the moment of its expiry it is. */
export function isValidAt(key: ApiKey, now: Micros): boolean {
  return key.revokedAt === null && (key.expiresAt === null || now < key.expiresAt);
}

/** CRC-32 in six base62 digits. */
function checksum(text: string): string {
  let rest = Bun.hash.crc32(PREFIX + text);
  let digits = '';
  for (let place = 0; place < 6; place++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
