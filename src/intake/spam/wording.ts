import { readFileSync } from 'node:fs';
import { extractFeatures, type Features, nameOfFeature, type Totals } from './features.ts';
import { MAYBE_SPAM_THRESHOLD, type Signal, SPAM_THRESHOLD } from './signal.ts';
import { ownFields, type SubmittedText } from './text.ts';
import { weakSignals } from './weak-signals.ts';
import model from './weights.gz' with { type: 'file' };

/**
 * Size of the weight table: buckets of four slots, each with eight bits of the feature's hash and a weight. The bits tell
 * an unknown feature from a known one in 255 of 256 cases, so 64 Ki slots are as good as a table of many millions.
 */
export const BUCKETS = 1 << 14;
export const SLOTS = 4;
/** Scale of the integer weights in the table. */
export const WEIGHT_UNIT = 1 / 32;
/** Lower limit of the feature count in the length norm, so that single features don't dominate short texts. */
const MIN_FEATURES = 30;
/** The sum grows with length faster than its square root, because the words of a text belong together. */
const LENGTH_SCALE = 0.62;

/** Scores from which the wording alone makes a submission spam, or possible spam. `bun run train-spam` prints them. */
export const SPAM_SCORE = 1.05;
export const MAYBE_SPAM_SCORE = 0.75;
/** Share of the structure's weight that is added to the wording's, which knows some of the structure. */
const STRUCTURE_SHARE = 0.75;
/** Limits of the weight of a text by itself, so that what a team learned can outweigh it. */
const MIN_CONTENT = -SPAM_THRESHOLD;
const MAX_CONTENT = 1.5 * SPAM_THRESHOLD;
/** Score from which a closer look is worth its time. The signs it adds rarely weigh more than the difference. */
const NEAR_SCORE = 0.5;
const MAX_NAMED_FEATURES = 5;

/** Each bucket's four bits of hashes, and its four weights. */
let table: Int32Array | null = null;

/** A first reading of a submission: its wording's score and features, and the numbers of things in it. */
export type Reading = Readonly<{ score: number; features: Features; totals: Totals }>;

/** Reads a submission in one pass. `features` and `totals` are valid until the next submission is read. */
export function readWording({ fields }: SubmittedText): Reading {
  const features = extractFeatures(fields);
  return { score: scoreOf(features), features, totals: features.totals };
}

/**
 * Returns the weight of the wording, negative for texts unlike spam. A score near the threshold is taken again without
 * quotations and with signs that take longer to find.
 */
export function wordingWeight(submitted: SubmittedText, { score }: Reading): number {
  return weightOfScore(score < NEAR_SCORE ? score : scoreOf(readClosely(submitted).features));
}

/** Returns the weight of a text by itself, without the model of a team; negative for texts unlike spam. */
export function contentWeight(submitted: SubmittedText, reading: Reading, structure: readonly Signal[]): number {
  const sum = structure.reduce((total, { weight }) => total + weight, 0);
  return combinedWeight(wordingWeight(submitted, reading), sum);
}

/** Combines the weights of the wording and of the structure, of which the wording knows a part. */
export function combinedWeight(wording: number, structure: number): number {
  const weight = wording + structure * STRUCTURE_SHARE;
  return Math.max(structure > 0 ? structure : MIN_CONTENT, Math.min(MAX_CONTENT, weight));
}

/** Returns the weight with its reason. Slower than `wordingWeight`; call it for flagged submissions only. */
export function wordingSignals(submitted: SubmittedText, { score }: Reading): Signal[] {
  if (score < NEAR_SCORE) return [];
  const { features, fields, signs } = readClosely(submitted);
  const weight = Math.min(SPAM_THRESHOLD, weightOfScore(scoreOf(features)));
  if (weight <= 0) return [];
  const names = Array.from(features.hashes, (hash, index) => ({ weight: weightIn(table ?? readTable(), hash), index }))
    .filter((feature) => feature.weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ index }) => nameOfFeature(fields, signs, index))
    .filter((name) => name !== null);
  const shown = [...new Set(names)].slice(0, MAX_NAMED_FEATURES);
  return [{ weight, reason: ['wording typical of spam', shown.join(', ')].filter(Boolean).join(': ') }];
}

/** Reads the features from which the table was learned. */
export function readClosely(submitted: SubmittedText) {
  const fields = ownFields(submitted);
  const signs = weakSignals(submitted);
  return { features: extractFeatures(fields, signs), fields, signs };
}

/** Returns the divisor of the sum of weights for a text with this many features. */
export function lengthNorm(featureCount: number): number {
  return LENGTH_SCALE * Math.max(MIN_FEATURES, featureCount) ** 0.6;
}

/** Returns the bucket of a feature, and its mark there. */
export const bucketOf = (hash: number) => (hash ^ (hash >>> 14)) & (BUCKETS - 1);
export const markOf = (hash: number) => hash >>> 24;

function scoreOf({ buffer, count }: Features): number {
  table ??= readTable();
  let sum = 0;
  for (let at = 0; at < count; at++) sum += weightIn(table, buffer[at] ?? 0);
  return (sum * WEIGHT_UNIT) / lengthNorm(count);
}

function readTable(): Int32Array {
  const { buffer, byteOffset, length } = Bun.gunzipSync(readFileSync(model));
  return new Int32Array(buffer, byteOffset, length / Int32Array.BYTES_PER_ELEMENT);
}

/** Returns the integer weight of a feature. Compares the marks of its bucket's four slots at once. */
function weightIn(table: Int32Array, hash: number): number {
  const bucket = bucketOf(hash) * 2;
  // The byte of an equal mark is 0; its highest bit is the lowest one set in `equal`.
  const difference = (table[bucket] ?? 0) ^ Math.imul(markOf(hash), 0x01010101);
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
