import { structureSignals } from '../../src/spam/structure.ts';
import { extractText } from '../../src/spam/text.ts';
import {
  BUCKETS,
  getBucket,
  getMark,
  lengthNorm,
  readClosely,
  readWording,
  SLOTS,
  WEIGHT_UNIT,
} from '../../src/spam/wording.ts';
import { type Labelled, payloadOf } from './set.ts';

/** A text to learn from or to judge. */
export type Example = Readonly<{
  /** Indexes of its features in a `FeatureIndex`. */
  features: Int32Array;
  /** Sum of the weights of its structure signals. */
  structure: number;
  isSpam: boolean;
  /** Its author or public set. */
  source: string;
  language: string;
  /** Length of its longest field. */
  length: number;
  /** A second reading of a text, without the fields beside the message. It is learned from, and never judged. */
  isCopy: boolean;
}>;

/** Numbers the hashes of features in order of their appearance. */
export class FeatureIndex {
  readonly #indexes = new Map<number, number>();

  indexOf(hash: number): number {
    return this.#indexes.getOrInsertComputed(hash, () => this.#indexes.size);
  }

  get hashes(): Int32Array {
    return Int32Array.from(this.#indexes.keys());
  }

  get size(): number {
    return this.#indexes.size;
  }
}

/** Reads the features of a text; of one with several fields a second time by its message alone. */
export function examplesOf(index: FeatureIndex, { fields, isSpam, source, language }: Labelled): Example[] {
  const read = (payload: Record<string, unknown>, isCopy: boolean): Example => {
    const submitted = extractText(payloadOf({ fields: payload }));
    const structure = structureSignals(submitted, readWording(submitted).totals);
    return {
      features: Int32Array.from(readClosely(submitted).features.hashes, (hash) => index.indexOf(hash)),
      structure: structure.reduce((sum, { weight }) => sum + weight, 0),
      length: submitted.message.text.length,
      ...{ isSpam, source, language, isCopy },
    };
  };
  const whole = read(fields, false);
  if (Object.keys(fields).length < 2) return [whole];
  const { message } = extractText(payloadOf({ fields }));
  return [whole, read({ message: message.text }, true)];
}

const EPOCHS = 12;
/** The weights of the last epochs are averaged. */
const AVERAGED_EPOCHS = 4;
const STEP = 4;
/** L2 regularization strength. */
const L2 = 5e-3;
/** Texts that a feature must occur in. */
const MIN_TEXTS = 3;
/** Limit of a weight, so that a few words never reach the threshold. */
const MAX_WEIGHT = 3;

/** Weights of features by their index. */
export type Weights = Float64Array;

/**
 * Learns weights by logistic regression: stochastic gradient descent with L2 regularization. Keeps the features that
 * matter most, as many as the table has slots for, in the steps of its integers.
 */
export function learn(examples: readonly Example[], index: FeatureIndex): Weights {
  const counts = new Uint32Array(index.size);
  for (const { features } of examples) for (const feature of features) counts[feature] = (counts[feature] ?? 0) + 1;
  const kept = examples.map(({ features }) => features.filter((feature) => (counts[feature] ?? 0) >= MIN_TEXTS));
  const weights = new Float64Array(index.size);
  const sums = new Float64Array(index.size);
  const order = examples.map((_, at) => at);
  const random = seededRandom(7);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, random);
    const step = STEP / (1 + epoch * 0.8);
    for (const at of order) {
      const example = examples[at];
      const features = kept[at];
      if (!example || !features) continue;
      const scale = 1 / lengthNorm(example.features.length);
      let sum = 0;
      for (const feature of features) sum += weights[feature] ?? 0;
      const error = (1 / (1 + Math.exp(-sum * scale)) - (example.isSpam ? 1 : 0)) * scale;
      for (const feature of features) {
        const weight = weights[feature] ?? 0;
        weights[feature] = weight - step * (error + L2 * weight);
      }
    }
    if (epoch >= EPOCHS - AVERAGED_EPOCHS)
      weights.forEach((weight, feature) => {
        sums[feature] = (sums[feature] ?? 0) + weight / AVERAGED_EPOCHS;
      });
  }
  const rounded = sums.map(
    (weight) => Math.round(Math.max(-MAX_WEIGHT, Math.min(MAX_WEIGHT, weight)) / WEIGHT_UNIT) * WEIGHT_UNIT,
  );
  return strongest(rounded, counts, index.hashes);
}

/** Sets the weights to 0 that find no slot in the table. The strongest and most frequent features come first. */
function strongest(weights: Weights, counts: Uint32Array, hashes: Int32Array): Weights {
  const used = new Uint8Array(BUCKETS);
  const marks = new Set<number>();
  const ranked = [...weights.keys()].filter((feature) => weights[feature] !== 0);
  const rank = (feature: number) => Math.abs(weights[feature] ?? 0) * Math.sqrt(counts[feature] ?? 0);
  const kept = new Float64Array(weights.length);
  for (const feature of ranked.sort((a, b) => rank(b) - rank(a))) {
    const hash = hashes[feature] ?? 0;
    const bucket = getBucket(hash);
    const mark = bucket * 256 + getMark(hash);
    // A mark of 0 stands for an empty slot.
    if ((used[bucket] ?? 0) === SLOTS || getMark(hash) === 0 || marks.has(mark)) continue;
    used[bucket] = (used[bucket] ?? 0) + 1;
    marks.add(mark);
    kept[feature] = weights[feature] ?? 0;
  }
  return kept;
}

/** Returns the table as `wording.ts` reads it. */
export function packTable(weights: Weights, hashes: Int32Array): Uint8Array<ArrayBuffer> {
  const table = new Uint8Array(BUCKETS * SLOTS * 2);
  const used = new Uint8Array(BUCKETS);
  weights.forEach((weight, feature) => {
    if (weight === 0) return;
    const hash = hashes[feature] ?? 0;
    const bucket = getBucket(hash);
    const slot = bucket * SLOTS * 2 + (used[bucket] ?? 0);
    used[bucket] = (used[bucket] ?? 0) + 1;
    table[slot] = getMark(hash);
    table[slot + SLOTS] = Math.round(weight / WEIGHT_UNIT);
  });
  return table;
}

/** Returns the score of the wording. */
export function scoreOf({ features }: Example, weights: Weights): number {
  let sum = 0;
  for (const feature of features) sum += weights[feature] ?? 0;
  return sum / lengthNorm(features.length);
}

function shuffle(list: number[], random: () => number): void {
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [list[at], list[other]] = [list[other] ?? 0, list[at] ?? 0];
  }
}

/** Returns a seeded random number generator, so that the same texts always give the same table. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}
