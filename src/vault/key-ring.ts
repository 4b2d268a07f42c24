import { createHmac } from 'node:crypto';

const KEY_BYTES = 32;
/** The counter byte of HKDF's first output block. */
const FIRST_BLOCK = new Uint8Array([1]);

/** A master key. `id` and `check` identify it without revealing anything about it. */
export type MasterKey = Readonly<{ id: number; check: string; bytes: Uint8Array }>;

/** Parses a 32-byte key in hex or base64; returns null for any other text. */
export function parseMasterKey(text: string): MasterKey | null {
  const trimmed = text.trim();
  const isHex = /^[0-9a-fA-F]{64}$/.test(trimmed);
  const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed);
  if (!isHex && !isBase64) return null;
  return masterKey(Buffer.from(trimmed, isHex ? 'hex' : 'base64'));
}

/** A key ring. The first key is primary: it seals new records; the others only open existing ones. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]];

/** Parses keys separated by commas or white space; returns null if there is none or one is invalid. */
export function parseMasterKeys(text: string): MasterKeys | null {
  const [first = null, ...others] = text
    .trim()
    .split(/[\s,]+/)
    .map(parseMasterKey);
  return first && others.every((key) => key !== null) ? [first, ...others] : null;
}

export const generateMasterKey = (): MasterKey => masterKey(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));

/** Encodes a key for a key file, in base64. */
export const encodeMasterKey = ({ bytes }: MasterKey): string => Buffer.from(bytes).toString('base64');

/** Formats a key id as eight hex digits. */
export const formatKeyId = (id: number): string => id.toString(16).padStart(8, '0');

function masterKey(bytes: Uint8Array): MasterKey {
  const hmac = (purpose: string) => createHmac('sha256', bytes).update(`formstead/${purpose}`).digest();
  return { id: hmac('key-id').readUInt32BE(), check: hmac('key-check').toString('hex'), bytes };
}

/** Encodes the HKDF `info` of a derived key. */
export const keyPurpose = (name: string): Uint8Array => Buffer.from(`formstead/${name}`);

/**
 * Derives a 32-byte key with HKDF-SHA-256 (RFC 5869). Calls HMAC directly, which is faster than `hkdfSync` for an
 * output of one block.
 */
export function deriveKey(key: MasterKey, salt: Uint8Array, purpose: Uint8Array): Uint8Array {
  const extracted = new Bun.CryptoHasher('sha256', salt).update(key.bytes).digest();
  return new Bun.CryptoHasher('sha256', extracted).update(purpose).update(FIRST_BLOCK).digest();
}
