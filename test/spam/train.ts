import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Payload } from '../../src/domain/submission.ts';
import { BUCKETS } from '../../src/intake/spam/features.ts';
import { SPAM_THRESHOLD } from '../../src/intake/spam/signal.ts';
import { structureSignals } from '../../src/intake/spam/structure.ts';
import { extractText } from '../../src/intake/spam/text.ts';
import { extractFeatures, lengthNorm, SPAM_SCORE, WEIGHT_UNIT } from '../../src/intake/spam/wording.ts';
import { readHalf } from './set.ts';

/**
 * Trains the weight table on `training/*.jsonl`: logistic regression by stochastic gradient descent with L2
 * regularization, small weights dropped. Prints cross-validated scores.
 */

/** A training text; `isSure` if its structure signals alone flag it. */
type Example = Readonly<{ buckets: readonly number[]; isSure: boolean; isSpam: boolean; author: string }>;

const FOLDS = 10;
const EPOCHS = 15;
/** L2 regularization strength. */
const L2 = 2e-3;
/** Texts that a feature must occur in: a weight learned from a single one is chance. */
const MIN_TEXTS = 2;
/** Limit of a weight, so that a few words never reach the threshold. */
const MAX_WEIGHT = 3.2;
/** Weights below this change no result and take space in the file. */
const MIN_WEIGHT = 0.3;

const examples = await read(join(import.meta.dir, 'training'));
await validate('random texts', (_, index) => index % FOLDS);
const authors = [...new Set(examples.map(({ author }) => author))];
await validate('authors', ({ author }) => authors.indexOf(author));
const table = learn(examples);
const zipped = Bun.gzipSync(table.buffer, { level: 9 });
await Bun.write(join(import.meta.dir, '../../src/intake/spam/weights.gz'), zipped);
const used = table.filter((weight) => weight !== 0).length;
const clamped = table.filter((weight) => Math.abs(weight) === Math.round(MAX_WEIGHT / WEIGHT_UNIT)).length;
print(`${examples.length} texts, ${used} of ${BUCKETS} buckets used, ${clamped} at the limit, ${zipped.length} bytes`);

/** Reads `<author>-genuine.jsonl` and `<author>-spam.jsonl` of each author, and the tuning half of the set as one more. */
async function read(folder: string): Promise<Example[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const trained = files.sort().map(async (name) => {
    const [author = '', kind = ''] = name.replace('.jsonl', '').split('-');
    const lines = (await Bun.file(join(folder, name)).text()).trimEnd().split('\n');
    return lines.map((line) => example(JSON.parse(line).fields, kind === 'spam', author));
  });
  const tuned = (['genuine', 'spam'] as const).map(async (kind) =>
    (await readHalf(kind, 'tuned on')).map(({ fields, isSpam }) => example(fields, isSpam, 'set')),
  );
  return (await Promise.all([...trained, ...tuned])).flat();
}

function example(fields: Record<string, unknown>, isSpam: boolean, author: string): Example {
  const submitted = extractText(Object.entries(fields) as unknown as Payload);
  const structure = structureSignals(submitted);
  const isSure = structure.reduce((sum, { weight }) => sum + weight, 0) >= SPAM_THRESHOLD;
  return { buckets: [...extractFeatures(submitted, structure).buckets], isSure, isSpam, author };
}

/** Returns the table as it is stored: integer weights in `WEIGHT_UNIT`. */
function learn(texts: readonly Example[]): Int8Array<ArrayBuffer> {
  const counts = new Uint32Array(BUCKETS);
  for (const { buckets } of texts) for (const bucket of buckets) counts[bucket] = (counts[bucket] ?? 0) + 1;
  const table = new Float64Array(BUCKETS);
  const kept = texts.map(({ buckets }) => buckets.filter((bucket) => (counts[bucket] ?? 0) >= MIN_TEXTS));
  const order = texts.map((_, index) => index);
  const random = seededRandom(7);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, random);
    const step = 4 / (1 + epoch * 0.8);
    for (const index of order) {
      const text = texts[index];
      const buckets = kept[index];
      if (!text || !buckets) continue;
      const scale = 1 / lengthNorm(text.buckets.length);
      const error = 1 / (1 + Math.exp(-scoreOf(text, table))) - (text.isSpam ? 1 : 0);
      for (const bucket of buckets) {
        const weight = table[bucket] ?? 0;
        table[bucket] = weight - step * (error * scale + L2 * weight);
      }
    }
  }
  return Int8Array.from(table, (weight) =>
    Math.abs(weight) < MIN_WEIGHT ? 0 : Math.round(Math.max(-MAX_WEIGHT, Math.min(MAX_WEIGHT, weight)) / WEIGHT_UNIT),
  );
}

function scoreOf({ buckets }: Example, table: Float64Array | Int8Array): number {
  return buckets.reduce((sum, bucket) => sum + (table[bucket] ?? 0), 0) / lengthNorm(buckets.length);
}

/** Cross-validates over the folds that `foldOf` assigns, and prints the share of texts above several scores. */
async function validate(name: string, foldOf: (example: Example, index: number) => number): Promise<void> {
  const folds = [...new Set(examples.map(foldOf))];
  const scored = folds.flatMap((fold) => {
    const table = learn(examples.filter((example, index) => foldOf(example, index) !== fold));
    return examples
      .filter((example, index) => foldOf(example, index) === fold)
      .map((example) => ({
        isSpam: example.isSpam,
        score: example.isSure ? Number.POSITIVE_INFINITY : scoreOf(example, table) * WEIGHT_UNIT,
      }));
  });
  const genuine = scored.filter(({ isSpam }) => !isSpam).map(({ score }) => score);
  const spam = scored.filter(({ isSpam }) => isSpam).map(({ score }) => score);
  genuine.sort((a, b) => b - a);
  print(`held out: ${name}`);
  for (const limit of [SPAM_SCORE, ...[0, 1, 2, 4, 6, 8, 16].map((flagged) => genuine[flagged] ?? 0)]) {
    const flagged = genuine.filter((score) => score > limit).length;
    const share = spam.filter((score) => score > limit).length / spam.length;
    print(
      `  above ${limit.toFixed(2)}: ${flagged} of ${genuine.length} genuine, ${(share * 100).toFixed(1)} % of spam`,
    );
  }
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
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
