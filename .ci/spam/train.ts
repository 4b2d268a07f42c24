import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MAYBE_SPAM_THRESHOLD, SPAM_THRESHOLD } from '../../src/spam/signal.ts';
import { combinedWeight, MAYBE_SPAM_SCORE, SPAM_SCORE, weightOfScore } from '../../src/spam/wording.ts';
import { type Example, examplesOf, FeatureIndex, learn, packTable, scoreOf } from './learn.ts';
import { randomNames, renamed } from './names.ts';
import { type Labelled, readPublic, readTraining } from './set.ts';

/**
 * Trains the weight table on `training/*.jsonl`, and on the public sets of a folder: `bun run generate spam-weights --with
 * FOLDER`, where each file has lines of `{ "text", "label": "spam" | "genuine", "lang" }`. Prints what a table finds that
 * was learned without the author or set of the text.
 */

const { values } = parseArgs({ options: { with: { type: 'string' } } });
const FOLDS = 6;

const index = new FeatureIndex();
const own = await readTraining(join(import.meta.dir, 'training'));
const others = values.with ? await readPublic(values.with) : [];
const examples = readFeatures([...own, ...others]);
validate();
const weights = learn(examples, index);
const table = packTable(weights, index.hashes);
const zipped = Bun.gzipSync(table, { level: 9 });
await Bun.write(join(import.meta.dir, '../../src/spam/weights.gz'), zipped);
const used = weights.filter((weight) => weight !== 0).length;
print(
  `${examples.filter(({ isCopy }) => !isCopy).length} texts, ${used} features, ${table.length} bytes (${zipped.length} zipped)`,
);

/** Reads the features of labeled texts under names at random. Each text but those of one field is read twice. */
function readFeatures(texts: readonly Labelled[]): Example[] {
  const nextName = randomNames(11);
  return texts.flatMap((text) => examplesOf(index, { ...text, fields: renamed(text.fields, nextName()) }));
}

/** Judges each text by a table that was learned without its source, and prints shares by source and length. */
function validate(): void {
  const sources = [...new Set(examples.map(({ source }) => source))].sort();
  const foldOf = (example: Example) => sources.indexOf(example.source) % FOLDS;
  const judged = Array.from({ length: FOLDS }, (_, fold) => {
    const learned = learn(
      examples.filter((example) => foldOf(example) !== fold),
      index,
    );
    return examples
      .filter((example) => foldOf(example) === fold && !example.isCopy)
      .map((example) => ({
        ...example,
        weight: combinedWeight(weightOfScore(scoreOf(example, learned)), example.structure),
        score: scoreOf(example, learned),
      }));
  }).flat();
  type Judged = (typeof judged)[number];
  const row = (name: string, some: readonly Judged[]) => {
    const share = (limit: number) => {
      const flagged = some.filter(({ weight }) => weight >= limit).length;
      return `${flagged} (${((100 * flagged) / Math.max(1, some.length)).toFixed(2)} %)`;
    };
    print(
      `  ${name.padEnd(28)} ${String(some.length).padStart(6)}   spam ${share(SPAM_THRESHOLD).padEnd(18)} at least maybe ${share(MAYBE_SPAM_THRESHOLD)}`,
    );
  };
  print(`judged without their source, at scores of ${SPAM_SCORE} and ${MAYBE_SPAM_SCORE}`);
  for (const isSpam of [false, true]) {
    const some = judged.filter((one) => one.isSpam === isSpam);
    row(isSpam ? 'all spam' : 'all genuine', some);
    for (const source of sources) {
      const ofSource = some.filter((one) => one.source === source);
      if (ofSource.length > 0) row(`${isSpam ? 'spam' : 'genuine'} of ${source}`, ofSource);
    }
    for (const [from, to] of [
      [0, 50],
      [50, 120],
      [120, 300],
      [300, 1000],
      [1000, 1e9],
    ] as const) {
      row(
        `${isSpam ? 'spam' : 'genuine'} of ${from} to ${to}`,
        some.filter(({ length }) => length >= from && length < to),
      );
    }
  }
  const genuine = judged.filter(({ isSpam }) => !isSpam).sort((a, b) => b.score - a.score);
  for (const share of [0.0005, 0.001, 0.002, 0.003, 0.005, 0.01]) {
    const limit = genuine[Math.floor(genuine.length * share)]?.score ?? 0;
    const caught = judged.filter(({ isSpam, weight, score }) => isSpam && (score > limit || weight >= SPAM_THRESHOLD));
    print(
      `  score ${limit.toFixed(2)}: ${(100 * share).toFixed(2)} % of genuine, ${((100 * caught.length) / judged.filter(({ isSpam }) => isSpam).length).toFixed(1)} % of spam`,
    );
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
