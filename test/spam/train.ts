import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Payload } from '../../src/domain/submission.ts';
import { PLACES } from '../../src/intake/spam/features.ts';
import { SPAM_THRESHOLD } from '../../src/intake/spam/signal.ts';
import { structureSignals } from '../../src/intake/spam/structure.ts';
import { textsOf } from '../../src/intake/spam/text.ts';
import { featuresOf, lengthOf, SPAM_SCORE, WEIGHT_UNIT } from '../../src/intake/spam/wording.ts';
import { readHalf } from './set.ts';

/**
 * Learns the table of weights from `training/*.jsonl`: logistic regression by stochastic gradient descent, with all weights
 * pulled to zero, and the small ones left out. Tells by cross-validation what scores texts get that a table has not learned
 * from.
 */

/** `isSure` if its structure alone is enough. */
type Example = Readonly<{ places: readonly number[]; isSure: boolean; isSpam: boolean; author: string }>;

const FOLDS = 10;
const EPOCHS = 15;
/** What weights are pulled to zero by. */
const SHRINKAGE = 2e-3;
/** What a place has learned from one text alone is chance. */
const MIN_TEXTS = 2;
/** A weight is at most this much, so that no few words are enough. */
const MOST = 3.2;
/** Less than this changes no judgement, and takes room in the file. */
const LEAST = 0.3;

const examples = await read(join(import.meta.dir, 'training'));
await validate('texts drawn at random', (_, index) => index % FOLDS);
const authors = [...new Set(examples.map(({ author }) => author))];
await validate('authors', ({ author }) => authors.indexOf(author));
const table = learn(examples);
const zipped = Bun.gzipSync(table.buffer, { level: 9 });
await Bun.write(join(import.meta.dir, '../../src/intake/spam/weights.gz'), zipped);
const used = table.filter((weight) => weight !== 0).length;
const most = table.filter((weight) => Math.abs(weight) === Math.round(MOST / WEIGHT_UNIT)).length;
say(`${examples.length} texts, ${used} of ${PLACES} places used, ${most} at their most, ${zipped.length} bytes`);

/** One author a file, `<author>-genuine.jsonl` and `<author>-spam.jsonl`; the half of the set for tuning is one more. */
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
  const submitted = textsOf(Object.entries(fields) as unknown as Payload);
  const structure = structureSignals(submitted);
  const isSure = structure.reduce((sum, { weight }) => sum + weight, 0) >= SPAM_THRESHOLD;
  return { places: [...featuresOf(submitted, structure).places], isSure, isSpam, author };
}

/** The table as it is stored: weights in `WEIGHT_UNIT`. */
function learn(texts: readonly Example[]): Int8Array<ArrayBuffer> {
  const counts = new Uint32Array(PLACES);
  for (const { places } of texts) for (const place of places) counts[place] = (counts[place] ?? 0) + 1;
  const table = new Float64Array(PLACES);
  const known = texts.map(({ places }) => places.filter((place) => (counts[place] ?? 0) >= MIN_TEXTS));
  const order = texts.map((_, index) => index);
  const random = dice(7);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order, random);
    const step = 4 / (1 + epoch * 0.8);
    for (const index of order) {
      const text = texts[index];
      const places = known[index];
      if (!text || !places) continue;
      const share = 1 / lengthOf(text.places.length);
      const miss = 1 / (1 + Math.exp(-scoreOf(text, table))) - (text.isSpam ? 1 : 0);
      for (const place of places) {
        const weight = table[place] ?? 0;
        table[place] = weight - step * (miss * share + SHRINKAGE * weight);
      }
    }
  }
  return Int8Array.from(table, (weight) =>
    Math.abs(weight) < LEAST ? 0 : Math.round(Math.max(-MOST, Math.min(MOST, weight)) / WEIGHT_UNIT),
  );
}

function scoreOf({ places }: Example, table: Float64Array | Int8Array): number {
  return places.reduce((sum, place) => sum + (table[place] ?? 0), 0) / lengthOf(places.length);
}

async function validate(what: string, foldOf: (example: Example, index: number) => number): Promise<void> {
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
  say(`left out: ${what}`);
  for (const limit of [SPAM_SCORE, ...[0, 1, 2, 4, 6, 8, 16].map((flagged) => genuine[flagged] ?? 0)]) {
    const flagged = genuine.filter((score) => score > limit).length;
    const share = spam.filter((score) => score > limit).length / spam.length;
    say(`  above ${limit.toFixed(2)}: ${flagged} of ${genuine.length} genuine, ${(share * 100).toFixed(1)} % of spam`);
  }
}

function shuffle(list: number[], random: () => number): void {
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [list[at], list[other]] = [list[other] ?? 0, list[at] ?? 0];
  }
}

/** The same numbers each time, so that the same texts give the same table. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
