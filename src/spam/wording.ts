import { readFileSync } from 'node:fs';
import { MAX_FEATURES } from './features/feature-list.ts';
import { extractFeatures, type Features, isPartOf, nameOfFeature } from './features/features.ts';
import { mix, STEM } from './features/hash.ts';
import type { Totals } from './features/totals.ts';
import { scanWord, word } from './features/words.ts';
import { MAYBE_SPAM_THRESHOLD, type Signal, SPAM_THRESHOLD } from './signal.ts';
import { type FieldText, ownFields, type SubmittedText } from './text.ts';
import { weakSignals } from './weak-signals.ts';
import model from './weights.gz' with { type: 'file' };

/**
 * Size of the weight table: buckets of four slots, each with eight bits of the feature's hash and a weight. The bits tell
 * an unknown feature from a known one in 255 of 256 cases, so 128 Ki slots are as good as a table of many millions.
 */
export const BUCKETS = 1 << 15;
export const SLOTS = 4;
/** Scale of the integer weights in the table. */
export const WEIGHT_UNIT = 1 / 32;
/** Lower limit of the feature count in the length norm, so that single features don't dominate short texts. */
const MIN_FEATURES = 30;
/** The sum grows with length faster than its square root, because the words of a text belong together. */
const LENGTH_SCALE = 0.62;

/** Scores from which the wording alone makes a submission spam, or possible spam: `bun run generate spam-weights`. */
export const SPAM_SCORE = 1.05;
export const MAYBE_SPAM_SCORE = 0.75;
/** Share of the structure's weight that is added to the wording's, which knows some of the structure. */
const STRUCTURE_SHARE = 0.75;
/** Limits of the weight of a text by itself, so that what a team learned can outweigh it. */
const MIN_CONTENT = -SPAM_THRESHOLD;
const MAX_CONTENT = 1.5 * SPAM_THRESHOLD;
/** Score from which a closer look is worth its time. The signs it adds rarely weigh more than the difference. */
const NEAR_SCORE = 0.5;
const TYPICAL = 'wording typical of spam';
const MAX_NAMED_FEATURES = 5;
/** Features that are asked for their names. Many have the same ones. */
const MAX_NAMING_FEATURES = 16;

/** Each bucket's four marks, and its four weights, in the byte order of the machine: little-endian on all we build for. */
let table: Int32Array | null = null;

/** A reading of a submission: its wording's score and features, valid until the next submission is read. */
type Wording = Readonly<{ score: number; features: Features }>;

/** A first reading, in one pass, and the numbers of things in the submission. */
export type Reading = Wording & Readonly<{ totals: Totals }>;

/** A second reading, without quotations and with signs that take longer to find. */
export type CloseReading = Wording & Readonly<{ fields: readonly FieldText[]; signs: readonly string[] }>;

export function readWording({ fields }: SubmittedText): Reading {
  const features = extractFeatures(fields);
  return { score: getScore(features), features, totals: features.totals };
}

/** Reads a submission again if its score is near the threshold; null if it is not. */
export function readAgain(submitted: SubmittedText, { score }: Reading): CloseReading | null {
  return score < NEAR_SCORE ? null : readClosely(submitted);
}

/** Reads the features from which the table was learned. */
export function readClosely(submitted: SubmittedText): CloseReading {
  const fields = ownFields(submitted);
  const signs = weakSignals(submitted);
  const features = extractFeatures(fields, signs);
  return { score: getScore(features), features, fields, signs };
}

/** Returns the weight of a text by itself, without the model of a team; negative for texts unlike spam. */
export function contentWeight({ score }: Wording, structure: readonly Signal[]): number {
  const sum = structure.reduce((total, { weight }) => total + weight, 0);
  return combinedWeight(weightOfScore(score), sum);
}

/** Combines the weights of the wording and of the structure, of which the wording knows a part. */
export function combinedWeight(wording: number, structure: number): number {
  const weight = wording + structure * STRUCTURE_SHARE;
  return Math.max(structure > 0 ? structure : MIN_CONTENT, Math.min(MAX_CONTENT, weight));
}

/** Returns the weight of the wording with its reason. Slow; call it for flagged submissions only. */
export function wordingSignals({ score, features, fields, signs }: CloseReading): Signal[] {
  const weight = Math.min(SPAM_THRESHOLD, weightOfScore(score));
  if (weight <= 0) return [];
  let words: readonly Word[] = [];
  const named = new Set<string>();
  for (const index of heaviest(features)) {
    if (words.some((shown) => isPartOf(index, shown.index))) continue;
    const name = nameOfFeature(fields, signs, index);
    if (name?.isSign) named.add(name.text);
    else if (name) words = withWhole(words, { index, text: name.text, padded: ` ${name.text.toLowerCase()} ` });
    if (words.length + named.size >= MAX_NAMED_FEATURES) break;
  }
  const shown = words.map(({ text }) => `“${text}”`).concat(...named);
  return [{ weight, reason: shown.length === 0 ? TYPICAL : `${TYPICAL}: ${shown.join(', ')}` }];
}

/** Words of a text by the index of a feature. */
type Word = Readonly<{ index: number; text: string; padded: string }>;

/** Adds words unless they are part of others; words that are part of them go. */
function withWhole(words: readonly Word[], added: Word): readonly Word[] {
  if (words.some(({ padded }) => padded.includes(added.padded))) return words;
  return [...words.filter(({ padded }) => !added.padded.includes(padded)), added];
}

/** Returns the indexes of the heaviest features with positive weights, first in the text if equal. */
function heaviest({ buffer, count }: Features): number[] {
  const keys: number[] = [];
  for (let index = 0; index < count; index++) {
    const key = getWeight(buffer[index] ?? 0) * MAX_FEATURES - index;
    if (key <= (keys[MAX_NAMING_FEATURES - 1] ?? 0)) continue;
    let at = Math.min(keys.length, MAX_NAMING_FEATURES - 1);
    for (; at > 0 && (keys[at - 1] ?? 0) < key; at--) keys[at] = keys[at - 1] ?? 0;
    keys[at] = key;
  }
  return keys.map((key) => -key & (MAX_FEATURES - 1));
}

/** Returns the divisor of the weights' sum for a text with this many features. */
export const lengthNorm = (featureCount: number): number => LENGTH_SCALE * Math.max(MIN_FEATURES, featureCount) ** 0.6;

/** Returns the bucket of a feature, and its mark there. */
export const getBucket = (hash: number) => (hash ^ (hash >>> 14)) & (BUCKETS - 1);
export const getMark = (hash: number) => hash >>> 24;

/** Returns whether the table has a weight for a word. Leaves the features of the submission as they are. */
export function isKnownWord(text: string): boolean {
  scanWord(text, 0, text.length);
  return getWeight(word.hash) !== 0 || getWeight(mix(word.stem, STEM)) !== 0;
}

function getScore({ buffer, count }: Features): number {
  let sum = 0;
  for (let at = 0; at < count; at++) sum += getWeight(buffer[at] ?? 0);
  return (sum * WEIGHT_UNIT) / lengthNorm(count);
}

function readTable(): Int32Array {
  const { buffer, byteOffset, length } = Bun.gunzipSync(readFileSync(model));
  return new Int32Array(buffer, byteOffset, length / Int32Array.BYTES_PER_ELEMENT);
}

/** Returns the integer weight of a feature. Compares the marks of its bucket's four slots at once. */
function getWeight(hash: number): number {
  table ??= readTable();
  const bucket = getBucket(hash) * 2;
  // The byte of an equal mark is 0; its highest bit is the lowest one set in `equal`.
  const difference = (table[bucket] ?? 0) ^ Math.imul(getMark(hash), 0x01010101);
  const equal = (difference - 0x01010101) & ~difference & 0x80808080;
  if (equal === 0) return 0;
  const place = 31 - Math.clz32(equal & -equal);
  return ((table[bucket + 1] ?? 0) << (31 - place)) >> 24;
}

/** Returns the weight of a score: 0 for one of 0, `MAYBE_SPAM_THRESHOLD` and `SPAM_THRESHOLD` for theirs, and so on. */
export function weightOfScore(score: number): number {
  if (score < MAYBE_SPAM_SCORE) return Math.floor((score / MAYBE_SPAM_SCORE) * MAYBE_SPAM_THRESHOLD);
  const share = (score - MAYBE_SPAM_SCORE) / (SPAM_SCORE - MAYBE_SPAM_SCORE);
  return Math.floor(MAYBE_SPAM_THRESHOLD + share * (SPAM_THRESHOLD - MAYBE_SPAM_THRESHOLD));
}
