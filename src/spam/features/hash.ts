/** FNV-1a, 32 bit. */
export const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
/** Salts keep the hashes of different kinds of features apart. */
export const STEM = 0x2e;
export const PAIR = 0x20;
export const SUBJECT = 0x62;
export const LINK = 0x26;
export const ADDRESS = 0x25;
export const TAG = 0x3c;
export const LINKED = 0x77;
export const SHAPE = 0x7f01;
export const NAMED = 0x7f02;

/** Returns a hash that continues with a value. */
export const mix = (hash: number, value: number): number => Math.imul(hash ^ value, PRIME);

export function toHash(text: string): number {
  let hash = SEED;
  for (let at = 0; at < text.length; at++) hash = mix(hash, text.charCodeAt(at));
  return hash;
}
