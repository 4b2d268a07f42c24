import { loadavg } from 'node:os';
import { join } from 'node:path';
import {
  applyLesson,
  guardedWeight,
  guardOf,
  lessonOf,
  MIN_LESSONS,
  type Scored,
  TABLE_SIZE,
} from '../../src/domain/spam-table.ts';
import { SPAM_THRESHOLD } from '../../src/intake/spam/signal.ts';
import { placesOf } from '../../src/intake/spam/team-places.ts';
import { combinedWeight, weightOfScore } from '../../src/intake/spam/wording.ts';
import { examplesOf, FeatureIndex, learn, scoreOf, type Weights } from './learn.ts';
import { readTraining } from './set.ts';

/**
 * Simulates teams that mark messages, and prints how much of their later messages the filter flags. Each author of
 * `training/` is a team in turn, with a base model that has seen none of the author's texts. Mistakes of the base model
 * are marked first, as people do.
 */

type Message = Scored & Readonly<{ isSpam: boolean }>;
/** The messages of a team: half of them arrive before the marks, half after. */
type Team = Readonly<{ spam: readonly Message[]; genuine: readonly Message[]; tests: readonly Message[] }>;
type Totals = Record<'spam' | 'caught' | 'genuine' | 'flagged' | 'newlyFlagged' | 'raisedBy', number>;

const KINDS = ['balanced', 'spam only', 'genuine only', '5 % wrong'] as const;
const MARKS = [0, 10, 20, 50, 100];
const SHUFFLES = 4;
const WRONG_SHARE = 0.05;
/** Base models; each has seen none of the texts of the authors whose teams it judges. */
const FOLDS = 6;

const random = seededRandom(7);
const index = new FeatureIndex();
const examples = (await readTraining(join(import.meta.dir, 'training'))).flatMap((text) => examplesOf(index, text));
/** Authors who wrote both spam and genuine messages. */
const authors = [...new Set(examples.map(({ source }) => source))].filter(
  (author) => new Set(examples.filter(({ source }) => source === author).map(({ isSpam }) => isSpam)).size === 2,
);
const { hashes } = index;
const teams = Array.from({ length: FOLDS }, (_, fold) => {
  const left = authors.filter((_, at) => at % FOLDS === fold);
  const weights = learn(
    examples.filter(({ source }) => !left.includes(source)),
    index,
  );
  return left.flatMap((author) => teamsOf(author, weights, hashes));
}).flat();
print(`${teams.length} teams of ${authors.length} authors, load ${loadavg()[0]?.toFixed(1)}`);
for (const kind of KINDS) for (const marks of MARKS) printRow(kind, marks);

function printRow(kind: (typeof KINDS)[number], marks: number): void {
  const totals: Totals = { spam: 0, caught: 0, genuine: 0, flagged: 0, newlyFlagged: 0, raisedBy: 0 };
  for (const team of teams) simulate(team, kind, marks, totals);
  const { spam, caught, genuine, flagged, newlyFlagged, raisedBy } = totals;
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(2)} %`;
  print(
    `${kind.padEnd(12)} ${String(marks).padStart(3)} marks: ${percent(caught, spam)} of ${spam} spam, ` +
      `${percent(flagged, genuine)} of ${genuine} genuine (${flagged}, ${newlyFlagged} of them by learning), ` +
      `threshold raised by ${(raisedBy / teams.length).toFixed(1)}`,
  );
}

/** Lets a team mark messages, and adds the verdicts on its later ones to `totals`. */
function simulate({ spam, genuine, tests }: Team, kind: (typeof KINDS)[number], marks: number, totals: Totals): void {
  const table = new Int16Array(TABLE_SIZE);
  const guard = genuine.filter((_, index) => index % 2 === 1);
  const balances = new Set(genuine.filter((_, index) => index % 2 === 0));
  const learned = { spam: 0, genuine: 0 };
  const next = { spam: 0, genuine: 0 };
  const learn = (message: Message, isSpam: boolean) => {
    applyLesson(table, lessonOf(message, isSpam), 1);
    learned[isSpam ? 'spam' : 'genuine'] += 1;
    balances.delete(message);
  };
  for (let mark = 0; mark < marks; mark++) {
    const isSpam = kind === 'spam only' || (kind !== 'genuine only' && mark % 2 === 0);
    const isWrong = kind === '5 % wrong' && random() < WRONG_SHARE;
    const source = isSpam === isWrong ? 'genuine' : 'spam';
    const message = (source === 'spam' ? spam : genuine)[next[source]++];
    if (!message) continue;
    const balance = [...balances][Math.floor(random() * balances.size)];
    // A spam mark without a message to balance it teaches nothing.
    if (isSpam && !balance) continue;
    learn(message, isSpam);
    if (isSpam && balance) learn(balance, false);
  }
  const isSilent = Math.min(learned.spam, learned.genuine) < MIN_LESSONS;
  const raisedBy = guardOf(table, guard);
  totals.raisedBy += isSilent ? 0 : raisedBy;
  for (const { places, distance, isSpam } of tests) {
    const isFlagged = distance + (isSilent ? 0 : guardedWeight(table, raisedBy, places)) >= 0;
    totals[isSpam ? 'spam' : 'genuine'] += 1;
    if (isFlagged) totals[isSpam ? 'caught' : 'flagged'] += 1;
    if (isFlagged && !isSpam && distance < 0) totals.newlyFlagged += 1;
  }
}

/** Returns the teams of an author, each with its own key and order of messages. */
function teamsOf(author: string, weights: Weights, hashes: Int32Array): Team[] {
  const own = examples.filter((example) => example.source === author && !example.isCopy);
  return Array.from({ length: SHUFFLES }, () => {
    const key = [Math.floor(random() * 2 ** 32), Math.floor(random() * 2 ** 32)] as const;
    const messages = shuffle([...own]).map((example) => {
      const weight = combinedWeight(weightOfScore(scoreOf(example, weights)), example.structure);
      const features = example.features.map((feature) => hashes[feature] ?? 0);
      return { places: placesOf(features, key), distance: weight - SPAM_THRESHOLD, isSpam: example.isSpam };
    });
    const [spam, genuine] = [messages.filter(({ isSpam }) => isSpam), messages.filter(({ isSpam }) => !isSpam)];
    const split = (list: Message[]) => [list.slice(0, list.length / 2), list.slice(list.length / 2)] as const;
    const [[spamBefore, spamAfter], [genuineBefore, genuineAfter]] = [split(spam), split(genuine)];
    spamBefore.sort((a, b) => Number(a.distance >= 0) - Number(b.distance >= 0));
    genuineBefore.sort((a, b) => Number(b.distance >= 0) - Number(a.distance >= 0));
    return { spam: spamBefore, genuine: genuineBefore, tests: [...spamAfter, ...genuineAfter] };
  });
}

function shuffle<Item>(list: Item[]): Item[] {
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [list[at], list[other]] = [list[other] as Item, list[at] as Item];
  }
  return list;
}

/** Returns a seeded random number generator, so that each run prints the same. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
