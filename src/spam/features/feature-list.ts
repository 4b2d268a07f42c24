import { LINKED, mix, SEED, SHAPE } from './hash.ts';

export const MAX_FEATURES = 1 << 13;

/** One bit for each place; two features of a text rarely share one. */
const SEEN_BITS = 17;
const seen = new Int32Array((1 << SEEN_BITS) / 32);

/** The hashes of the features, of which the first `count` are valid. */
export const hashes = new Int32Array(MAX_FEATURES);

/**
 * Each feature's start in its field, its end and the index of the field, in 11, 11 and 10 bits: `extractText` returns at
 * most 1,000 fields. -1 stands for a shape, and a lower number for the name of a sign.
 */
export const spots = new Int32Array(MAX_FEATURES);
/** Number of features. */
export let count = 0;

/** The index of the current field, at its place in a spot. */
let fieldBits = 0;
export const END_SHIFT = 11;
export const FIELD_SHIFT = 22;
/** The index of a field in the spot of a shape or sign. */
export const NO_FIELD = 1023;

export function clearFeatures(): void {
  seen.fill(0);
  count = 0;
}

/** True while `add` does nothing: for names, of which only the shape counts. */
export let isMuted = false;

/** Makes a field the current one. `isName` leaves out all its features but shapes. */
export function beginField(index: number, isName = false): void {
  isMuted = isName;
  fieldBits = index << FIELD_SHIFT;
}

/** Adds a feature of the current field unless the submission has it already. */
export function add(hash: number, start: number, end: number): void {
  if (isMuted) return;
  addAt(hash, fieldBits | (end << END_SHIFT) | start);
}

/** Adds a feature with its spot unless the submission has it already. */
export function addAt(hash: number, spot: number): void {
  const place = (hash ^ (hash >>> SEEN_BITS)) & ((1 << SEEN_BITS) - 1);
  const group = place >>> 5;
  const bits = seen[group] ?? 0;
  const bit = 1 << (place & 31);
  if ((bits & bit) !== 0 || count === MAX_FEATURES) return;
  seen[group] = bits | bit;
  hashes[count] = hash;
  spots[count] = spot;
  count += 1;
}

export function addShape(name: number, value: number): void {
  addAt(mix(mix(mix(SEED, SHAPE), name), value), -1);
}

/** Adds all features of a text with links apart too: next to a link, other words are signs of spam. */
export function addLinked(): void {
  const end = count;
  for (let at = 0; at < end; at++) addAt(mix(hashes[at] ?? 0, LINKED), spots[at] ?? -1);
}
