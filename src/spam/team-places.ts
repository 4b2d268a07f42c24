import { TABLE_SIZE } from '../domain/spam/spam-table.ts';
import type { Vault } from '../vault/vault.ts';

/** The secret key of a team's table. */
export type PlaceKey = readonly [number, number];

/** Derives the key of a team's table. It survives a rotation of the master key, like all fingerprints. */
export function placeKey(vault: Pick<Vault, 'fingerprint'>, teamId: string): PlaceKey {
  const digest = vault.fingerprint('spam table', teamId);
  return [Number.parseInt(digest.slice(0, 8), 16), Number.parseInt(digest.slice(8, 16), 16)];
}

/**
 * Maps features to places in a team's table by HalfSipHash-1-3, a keyed pseudorandom function. Without the key, every
 * assignment of words to places is equally likely, so the table shows neither that a word occurred nor that two teams
 * received the same text.
 */
export function getPlaces(features: Int32Array, [key0, key1]: PlaceKey): Uint16Array {
  const places = new Uint16Array(features.length);
  for (let index = 0; index < features.length; index++) {
    places[index] = halfSipHash(features[index] ?? 0, key0, key1) & (TABLE_SIZE - 1);
  }
  return places;
}

/** Length of the message in the last block of SipHash. */
const LENGTH_BLOCK = 4 << 24;

/** Hashes one 32-bit word (Aumasson and Bernstein; one round for each block, three at the end). */
function halfSipHash(word: number, key0: number, key1: number): number {
  let v0 = key0;
  let v1 = key1;
  let v2 = 0x6c796765 ^ key0;
  let v3 = 0x74656462 ^ key1 ^ word;
  for (let round = 0; round < 5; round++) {
    if (round === 1) {
      v0 ^= word;
      v3 ^= LENGTH_BLOCK;
    }
    if (round === 2) {
      v0 ^= LENGTH_BLOCK;
      v2 ^= 0xff;
    }
    v0 = (v0 + v1) | 0;
    v1 = (v1 << 5) | (v1 >>> 27);
    v1 ^= v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = (v3 << 8) | (v3 >>> 24);
    v3 ^= v2;
    v0 = (v0 + v3) | 0;
    v3 = (v3 << 7) | (v3 >>> 25);
    v3 ^= v0;
    v2 = (v2 + v1) | 0;
    v1 = (v1 << 13) | (v1 >>> 19);
    v1 ^= v2;
    v2 = (v2 << 16) | (v2 >>> 16);
  }
  return v1 ^ v3;
}
