import { readdirSync } from 'node:fs';
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
import type { Payload } from '../../src/domain/submission.ts';
import { SPAM_THRESHOLD } from '../../src/intake/spam/signal.ts';
import { featuresOf } from '../../src/intake/spam/team-model.ts';
import { placesOf } from '../../src/intake/spam/team-places.ts';
import { extractText } from '../../src/intake/spam/text.ts';

/**
 * Simulates teams that mark messages, and prints how much of their later messages the filter flags. Each author of
 * `training/` is a team in turn, with a base model that has seen none of the author's texts. Mistakes of the base model
 * are marked first, as people do.
 */

type Example = Readonly<{ features: Int32Array; isSpam: boolean; author: string }>;
type Message = Scored & Readonly<{ isSpam: boolean }>;
/** The messages of a team: half of them arrive before the marks, half after. */
type Team = Readonly<{ spam: readonly Message[]; genuine: readonly Message[]; tests: readonly Message[] }>;
type Totals = Record<'spam' | 'caught' | 'genuine' | 'flagged' | 'newlyFlagged' | 'raisedBy', number>;

const KINDS = ['balanced', 'spam only', 'genuine only', '5 % wrong'] as const;
const MARKS = [0, 10, 20, 50, 100];
const SHUFFLES = 4;
const WRONG_SHARE = 0.05;
const EPOCHS = 4;
const BUCKETS = 1 << 20;
const bucketOf = (feature: number) => (feature ^ (feature >>> 15)) & (BUCKETS - 1);
/** Score of the base model that is its threshold: about 1 in 1,000 genuine texts of other authors score higher. */
const BASE_THRESHOLD = 4.5;

const random = seededRandom(7);
const examples = await read(join(import.meta.dir, 'training'));
const authors = [...new Set(examples.map(({ author }) => author))];
const teams = authors.flatMap(teamsOf);
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
function teamsOf(author: string): Team[] {
  const weigh = train(examples.filter((example) => example.author !== author));
  const own = examples.filter((example) => example.author === author);
  return Array.from({ length: SHUFFLES }, () => {
    const key = [Math.floor(random() * 2 ** 32), Math.floor(random() * 2 ** 32)] as const;
    const messages = shuffle([...own]).map(({ features, isSpam }) => {
      return { places: placesOf(features, key), distance: weigh(features) - SPAM_THRESHOLD, isSpam };
    });
    const [spam, genuine] = [messages.filter(({ isSpam }) => isSpam), messages.filter(({ isSpam }) => !isSpam)];
    const split = (list: Message[]) => [list.slice(0, list.length / 2), list.slice(list.length / 2)] as const;
    const [[spamBefore, spamAfter], [genuineBefore, genuineAfter]] = [split(spam), split(genuine)];
    spamBefore.sort((a, b) => Number(a.distance >= 0) - Number(b.distance >= 0));
    genuineBefore.sort((a, b) => Number(b.distance >= 0) - Number(a.distance >= 0));
    return { spam: spamBefore, genuine: genuineBefore, tests: [...spamAfter, ...genuineAfter] };
  });
}

/** Trains a small base model and returns its weight of a text. */
function train(texts: readonly Example[]): (features: Int32Array) => number {
  const table = new Float32Array(BUCKETS);
  const order = [...texts];
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(order);
    for (const { features, isSpam } of order) {
      const error = 1 / (1 + Math.exp(-scoreOf(table, features))) - (isSpam ? 1 : 0);
      const step = ((4 / (1 + epoch)) * error) / lengthNorm(features);
      for (const feature of features) table[bucketOf(feature)] = (table[bucketOf(feature)] ?? 0) - step;
    }
  }
  return (features) => Math.floor((scoreOf(table, features) / BASE_THRESHOLD) * SPAM_THRESHOLD);
}

function scoreOf(table: Float32Array, features: Int32Array): number {
  let sum = 0;
  for (const feature of features) sum += table[bucketOf(feature)] ?? 0;
  return sum / lengthNorm(features);
}

function lengthNorm(features: Int32Array): number {
  return Math.sqrt(Math.max(50, features.length));
}

async function read(folder: string): Promise<Example[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const parts = files.sort().map(async (name) => {
    const [author = '', kind = ''] = name.replace('.jsonl', '').split('-');
    const lines = (await Bun.file(join(folder, name)).text()).trimEnd().split('\n');
    return lines.map((line) => {
      const submitted = extractText(Object.entries(JSON.parse(line).fields) as unknown as Payload);
      const features = Int32Array.from(featuresOf(submitted));
      return { features, isSpam: kind === 'spam', author };
    });
  });
  return (await Promise.all(parts)).flat();
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
