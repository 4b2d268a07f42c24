import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  BALANCES,
  fitTable,
  getLesson,
  getThreshold,
  learnedWeight,
  MIN_LESSONS,
  pickBalance,
  type Scored,
} from '../../src/domain/spam/spam-table.ts';
import { MAYBE_SPAM_THRESHOLD, SPAM_THRESHOLD } from '../../src/spam/signal.ts';
import { getPlaces } from '../../src/spam/team-places.ts';
import { combinedWeight, weightOfScore } from '../../src/spam/wording.ts';
import { type Example, examplesOf, FeatureIndex, learn, scoreOf, type Weights } from './learn.ts';
import { readPublic, readTraining } from './set.ts';

/**
 * Simulates teams that mark messages, and prints how much of their later messages the filter marks as spam or maybe spam. Each author of
 * `training/` is a team in turn, and with `--with FOLDER` each public set with both spam and genuine messages, apart. The
 * base model has seen none of the author's or the set's texts. Mistakes of the base model are marked first, as people do.
 */

type Message = Scored & Readonly<{ isSpam: boolean }>;
/** The messages of a team: half of them arrive before the marks, half after. */
type Team = Readonly<{ spam: readonly Message[]; genuine: readonly Message[]; tests: readonly Message[] }>;
type Totals = Record<'spam' | 'caught' | 'suspected' | 'genuine' | 'flagged' | 'newlyMarked' | 'raisedBy', number>;

const KINDS = ['balanced', 'spam only', 'genuine only', '5 % wrong', 'careless'] as const;
const MARKS = [0, 10, 20, 50, 100];
/** Distance from the threshold of spam from which a message may be spam. */
const MAYBE = MAYBE_SPAM_THRESHOLD - SPAM_THRESHOLD;
const SHUFFLES = 4;
const WRONG_SHARE = 0.05;
/** Share of the missed spam that a careless team opens and leaves in the inbox. */
const LEFT_SHARE = 0.1;
/** Base models; each has seen none of the texts of the authors whose teams it judges. */
const FOLDS = 6;
/** Genuine messages of a team, as a job reads for the threshold. */
const MAX_GENUINE = 400;

const { values } = parseArgs({ options: { with: { type: 'string' } } });
const random = seededRandom(7);
const index = new FeatureIndex();
const written = (await readTraining(join(import.meta.dir, 'training'))).flatMap((text) => examplesOf(index, text));
const sets = values.with ? (await readPublic(values.with)).flatMap((text) => examplesOf(index, text)) : [];
const { hashes } = index;
const authors = sourcesOf(written);
const ofAuthors = Array.from({ length: FOLDS }, (_, fold) =>
  teamsOf(
    authors.filter((_, at) => at % FOLDS === fold),
    written,
  ),
);
report('authors', ofAuthors.flat());
if (values.with) {
  const ofSets = sourcesOf(sets).map((source) => teamsOf([source], [...written, ...sets]));
  report('public sets', ofSets.flat());
}

/** Returns the sources with both spam and genuine messages. */
function sourcesOf(examples: readonly Example[]): string[] {
  const kinds = Map.groupBy(examples, ({ source }) => source);
  return [...kinds].flatMap(([source, some]) => (new Set(some.map(({ isSpam }) => isSpam)).size === 2 ? source : []));
}

/** Returns the teams of sources, with a base model that was trained on the others. */
function teamsOf(sources: readonly string[], examples: readonly Example[]): Team[] {
  const others = examples.filter(({ source }) => !sources.includes(source));
  const weights = learn(others, index);
  return sources.flatMap((source) =>
    makeTeams(
      examples.filter((example) => example.source === source && !example.isCopy),
      weights,
    ),
  );
}

function report(name: string, teams: readonly Team[]): void {
  print(`${teams.length} teams of ${teams.length / SHUFFLES} ${name}, load ${loadavg()[0]?.toFixed(1)}`);
  for (const kind of KINDS) for (const marks of MARKS) printRow(teams, kind, marks);
}

function printRow(teams: readonly Team[], kind: (typeof KINDS)[number], marks: number): void {
  const totals: Totals = { spam: 0, caught: 0, suspected: 0, genuine: 0, flagged: 0, newlyMarked: 0, raisedBy: 0 };
  for (const team of teams) simulate(team, kind, marks, totals);
  const { spam, caught, suspected, genuine, flagged, newlyMarked, raisedBy } = totals;
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(2)} %`;
  print(
    `${kind.padEnd(12)} ${String(marks).padStart(3)} marks: ${percent(caught, spam)} of ${spam} spam, ${percent(caught + suspected, spam)} with maybe, ` +
      `${percent(flagged, genuine)} of ${genuine} genuine with maybe (${flagged}, ${newlyMarked} of them by learning), ` +
      `threshold raised by ${(raisedBy / teams.length).toFixed(1)}`,
  );
}

/** Lets a team mark messages, and adds the verdicts on its later ones to `totals`. */
function simulate(team: Team, kind: (typeof KINDS)[number], marks: number, totals: Totals): void {
  const { learned, corrections } = markAll(team, kind, marks);
  const lessons = [...learned].map(([message, isSpam]) => ({ ...getLesson(message), isSpam, halvings: 0 }));
  const { table, amounts } = finish(fitTable(lessons));
  const owns = new Map([...learned.keys()].map((message, at) => [message, amounts[at] ?? 0]));
  // The inbox: what passed, and what was marked as genuine.
  const inbox = team.genuine.filter((message) =>
    learned.has(message) ? learned.get(message) === false : message.distance < 0,
  );
  const left = kind === 'careless' ? LEFT_SHARE : 0;
  const missed = team.spam.filter((message) => message.distance < 0 && !learned.has(message) && random() < left);
  const sample = [...inbox, ...missed].map((message) => ({ ...message, own: owns.get(message) ?? 0 }));
  const numbers = Object.groupBy(lessons, ({ isSpam }) => (isSpam ? 'spam' : 'genuine'));
  const isSilent = Math.min(numbers.spam?.length ?? 0, numbers.genuine?.length ?? 0) < MIN_LESSONS;
  const raisedBy = isSilent ? 0 : getThreshold(table, sample, corrections);
  totals.raisedBy += raisedBy;
  for (const { places, distance, isSpam } of team.tests) {
    const weight = distance + (isSilent ? 0 : learnedWeight(table, raisedBy, places));
    totals[isSpam ? 'spam' : 'genuine'] += 1;
    if (weight < MAYBE) continue;
    // A lowered threshold makes messages suspect, and flags none.
    if (isSpam) totals[weight + Math.min(0, raisedBy) < 0 ? 'suspected' : 'caught'] += 1;
    else totals.flagged += 1;
    if (!isSpam && distance < MAYBE) totals.newlyMarked += 1;
  }
}

/** Returns the messages that a team's marks teach, spam or not, and the number of marks as genuine. */
function markAll({ spam, genuine }: Team, kind: (typeof KINDS)[number], marks: number) {
  const learned = new Map<Message, boolean>();
  const balances = new Set(genuine.filter(({ distance }) => distance < 0));
  const enough = balances.size / 5;
  const next = { spam: 0, genuine: 0 };
  let corrections = 0;
  const learn = (message: Message, isSpam: boolean) => {
    learned.set(message, isSpam);
    balances.delete(message);
  };
  for (let mark = 0; mark < marks; mark++) {
    const isSpam = kind === 'spam only' || (kind !== 'genuine only' && mark % 2 === 0);
    const isWrong = kind === '5 % wrong' && random() < WRONG_SHARE;
    const source = isSpam === isWrong ? 'genuine' : 'spam';
    const message = (source === 'spam' ? spam : genuine)[next[source]++];
    // A spam mark without a message to balance it teaches nothing.
    if (!message || (isSpam && balances.size <= enough)) continue;
    learn(message, isSpam);
    if (!isSpam) corrections += 1;
    for (let n = 0; isSpam && n < BALANCES && balances.size > enough; n++) {
      const balance = pickBalance([...balances], random);
      if (balance) learn(balance, false);
    }
  }
  return { learned, corrections };
}

function finish<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Returns the teams of an author, each with its own key and order of messages. */
function makeTeams(own: readonly Example[], weights: Weights): Team[] {
  return Array.from({ length: SHUFFLES }, () => {
    const key = [Math.floor(random() * 2 ** 32), Math.floor(random() * 2 ** 32)] as const;
    const messages = shuffle([...own]).map((example) => {
      const weight = combinedWeight(weightOfScore(scoreOf(example, weights)), example.structure);
      const features = example.features.map((feature) => hashes[feature] ?? 0);
      return { places: getPlaces(features, key), distance: weight - SPAM_THRESHOLD, isSpam: example.isSpam };
    });
    const spam = messages.filter(({ isSpam }) => isSpam);
    const genuine = messages.filter(({ isSpam }) => !isSpam).slice(0, 2 * MAX_GENUINE);
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
