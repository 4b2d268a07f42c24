import { createHmac } from 'node:crypto';

const KEY_BYTES = 32;
/** The counter that ends what the first block of HKDF's output is made of. */
const FIRST_BLOCK = new Uint8Array([1]);

/** One master key. `id` and `check` tell it from others and say nothing about it. */
export type MasterKey = Readonly<{ id: number; check: string; bytes: Uint8Array }>;

/** Reads 32 bytes written as 64 hex digits or in base64. Null if the text is anything else. */
export function parseMasterKey(text: string): MasterKey | null {
  const trimmed = text.trim();
  const isHex = /^[0-9a-fA-F]{64}$/.test(trimmed);
  const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed);
  if (!isHex && !isBase64) return null;
  return masterKey(Buffer.from(trimmed, isHex ? 'hex' : 'base64'));
}

/** The first is the one to seal with; what was sealed under the others still opens. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]];

/** Reads keys with commas or white space between. Null unless there is one at least and all are keys. */
export function parseMasterKeys(text: string): MasterKeys | null {
  const [first = null, ...others] = text
    .trim()
    .split(/[\s,]+/)
    .map(parseMasterKey);
  return first && others.every((key) => key !== null) ? [first, ...others] : null;
}

export function generateMasterKey(): MasterKey {
  return masterKey(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
}

/** A key as it stands in a key file. */
export function encodeMasterKey({ bytes }: MasterKey): string {
  return Buffer.from(bytes).toString('base64');
}

/** What a key goes by before people: eight hex digits. */
export function formatKeyId(id: number): string {
  return id.toString(16).padStart(8, '0');
}

function masterKey(bytes: Uint8Array): MasterKey {
  const hmac = (purpose: string) => createHmac('sha256', bytes).update(`formstead/${purpose}`).digest();
  return { id: hmac('key-id').readUInt32BE(), check: hmac('key-check').toString('hex'), bytes };
}

/** What a derived key is for: the info of HKDF, made once. */
export function keyPurpose(name: string): Uint8Array {
  return Buffer.from(`formstead/${name}`);
}

/**
 * A key for one use, by HKDF-SHA-256 (RFC 5869): the same key, salt and purpose give the same 32 bytes. Its two HMACs are
 * written out, as one key is one block and `hkdfSync` takes longer for the same.
 */
export function deriveKey(key: MasterKey, salt: Uint8Array, purpose: Uint8Array): Uint8Array {
  const extracted = new Bun.CryptoHasher('sha256', salt).update(key.bytes).digest();
  return new Bun.CryptoHasher('sha256', extracted).update(purpose).update(FIRST_BLOCK).digest();
}
