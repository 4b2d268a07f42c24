import { DAY, type Micros } from '../../lib/clock.ts';

/** Number of weights in a team's table. */
export const TABLE_SIZE = 1 << 14;

/** Table units of one point of the spam score. */
const UNIT = 8;
/** Limit of a single weight when it is read, so that a few words never decide. */
const MAX_PLACE_WEIGHT = 80 * UNIT;
const MAX_STORED_WEIGHT = 0x7fff;
/** Lower limit of the feature count in the length norm, as in short texts single features would dominate. */
const MIN_FEATURES = 50;
/** Limits of the learned part of a score. The upper one is below the threshold: it never flags a message alone. */
const MIN_WEIGHT = -120;
const MAX_WEIGHT = 110;

/** Rounds over all lessons. A step is shorter in each later round. */
const ROUNDS = 5;
const STEP = 160;
const STEP_DECAY = 0.3;
/** Limit of what one lesson adds to the score of its own message, whatever else it contradicts. */
const MAX_AMOUNT = 320;
/** Width of the range around the threshold in which a message counts as uncertain. */
const SLOPE = 40;
/** Limit of the distance from the threshold in a lesson, so that words of clearly genuine messages are learned too. */
const MAX_DISTANCE = 60;
/** Limits the size of a lesson. Offers come early in a text. */
const MAX_PLACES = 1_024;
/** Places after which a fit lets others run. */
const PLACES_PER_TURN = 10_000;

/** Share of a team's genuine messages above which the tail of their scores begins. */
const TAIL = 0.15;
/** Points from the tail's beginning to the threshold; fewer with each corrected mistake, since a team then reads its spam. */
const MARGIN = 190;
const MARGIN_PER_CORRECTION = 2;
const MIN_MARGIN = 167;
/** Share of the genuine messages that may be flagged, since some may be spam that nobody marked. */
const MAX_FLAGGED = 0.02;
/** Genuine messages from which the threshold may be lowered, and the points that it is lowered by at most. */
const MIN_TO_LOWER = 50;
const MAX_LOWERED = 40;

/** A message as a table learns it: its places, and its score without the table, relative to the threshold. */
export type Scored = Readonly<{ places: Uint16Array; distance: number }>;

/** A lesson to learn. It counts half after each of its `halvings`. */
export type Lesson = Scored & Readonly<{ isSpam: boolean; halvings: number }>;

/** A table with the amounts that each lesson added to its places. */
export type Fit = Readonly<{ table: Int16Array; amounts: Int32Array }>;

/** Genuine messages that each spam mark learns as a balance, if there are enough. */
export const BALANCES = 2;
/** Messages of which a balance is the nearest to the threshold, where a lesson teaches most. */
const CANDIDATES = 3;

/** Lessons of each kind without which a table has no effect. */
export const MIN_LESSONS = 5;
/** Marks whose lessons a table keeps. */
export const MAX_MARKS = 2_000;
/** A lesson counts half after each year. */
export const HALF_LIFE = 365 * DAY;

/**
 * Fits a table to lessons by logistic regression from the scores without the table. The same lessons in the same order
 * give the same table, so one that is left out leaves no trace. Yields regularly.
 */
export function* fitTable(lessons: readonly Lesson[]): Generator<void, Fit> {
  const weights = new Float64Array(TABLE_SIZE);
  const totals = new Float64Array(lessons.length);
  let read = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const step = STEP / (1 + round * STEP_DECAY);
    for (const [index, { places, distance, isSpam }] of lessons.entries()) {
      const norm = lengthNorm(places.length);
      let sum = 0;
      for (let at = 0; at < places.length; at++) sum += weights[places[at] ?? 0] ?? 0;
      const error = Number(isSpam) - 1 / (1 + Math.exp(-(nearThreshold(distance) + sum / norm) / SLOPE));
      const before = totals[index] ?? 0;
      const after = Math.max(-MAX_AMOUNT, Math.min(MAX_AMOUNT, before + step * error));
      totals[index] = after;
      const change = (after - before) / norm;
      for (let at = 0; at < places.length; at++) {
        const place = places[at] ?? 0;
        weights[place] = (weights[place] ?? 0) + change;
      }
      read += places.length;
      if (read < PLACES_PER_TURN) continue;
      read = 0;
      yield;
    }
  }
  return add(lessons, totals);
}

/** Adds up the lessons in integers. */
function add(lessons: readonly Lesson[], totals: Float64Array): Fit {
  const sums = new Int32Array(TABLE_SIZE);
  const amounts = new Int32Array(lessons.length);
  for (const [index, { places, halvings }] of lessons.entries()) {
    const amount = Math.trunc(((totals[index] ?? 0) * UNIT) / lengthNorm(places.length) / 2 ** halvings);
    amounts[index] = amount;
    for (const place of places) sums[place] = (sums[place] ?? 0) + amount;
  }
  const table = Int16Array.from(sums, (sum) => Math.max(-MAX_STORED_WEIGHT, Math.min(MAX_STORED_WEIGHT, sum)));
  return { table, amounts };
}

/** Returns the table's part of a message's score. `own` is the amount of the message's own lesson, to leave it out. */
export function tableWeight(table: Int16Array, places: Uint16Array, own = 0): number {
  let sum = 0;
  for (let index = 0; index < places.length; index++) {
    const weight = (table[places[index] ?? 0] ?? 0) - (index < MAX_PLACES ? own : 0);
    sum += Math.max(-MAX_PLACE_WEIGHT, Math.min(MAX_PLACE_WEIGHT, weight));
  }
  return clampWeight(sum / UNIT / lengthNorm(places.length));
}

/**
 * Returns the learned part of a score. A raised threshold takes points off what counts as spam, and no more than that; a
 * lowered one adds points.
 */
export function learnedWeight(table: Int16Array, raisedBy: number, places: Uint16Array): number {
  const weight = tableWeight(table, places);
  if (raisedBy < 0) return clampWeight(weight - raisedBy);
  return weight > 0 ? Math.max(0, weight - raisedBy) : weight;
}

/** A genuine message of the team; `own` is the amount of its lesson, 0 without one. */
export type Genuine = Scored & Readonly<{ own: number }>;

/**
 * Returns the points to raise a team's threshold by, negative to lower it. It keeps a margin above the scores of most
 * genuine messages, each judged without its own lesson, and of those that were below the threshold before it flags at
 * most one in fifty, which may be spam that nobody marked.
 */
export function getThreshold(table: Int16Array, genuine: readonly Genuine[], corrections: number): number {
  const scored = genuine
    .map(({ places, distance, own }) => ({ score: distance + tableWeight(table, places, own), distance }))
    .sort((a, b) => b.score - a.score);
  const usual = scored[Math.floor(scored.length * TAIL)];
  if (!usual) return 0;
  const below = scored.filter(({ distance }) => distance < 0);
  const highest = below[Math.floor(below.length * MAX_FLAGGED)]?.score ?? 0;
  const margin = Math.max(MIN_MARGIN, MARGIN - corrections * MARGIN_PER_CORRECTION);
  const lowest = scored.length < MIN_TO_LOWER ? 0 : -MAX_LOWERED;
  return Math.min(MAX_WEIGHT, Math.ceil(Math.max(usual.score + margin, highest + 1, lowest)));
}

/** Picks a genuine message to balance a spam mark. */
export function pickBalance<Message extends Scored>(
  messages: readonly Message[],
  random: () => number,
): Message | null {
  const candidates = Array.from({ length: CANDIDATES }, () => messages[Math.floor(random() * messages.length)] ?? null);
  return candidates.reduce((best, one) => (best && one && one.distance > best.distance ? one : best));
}

/** Returns how often a lesson was halved by the halving at `halvedAt`. */
export function getHalvings(createdAt: Micros, halvedAt: Micros): number {
  return Math.max(0, Math.ceil((halvedAt - createdAt) / HALF_LIFE));
}

/** Limits a message to what its lesson keeps. */
export function getLesson({ places, distance }: Scored): Scored {
  return { distance: Math.round(nearThreshold(distance)), places: places.slice(0, MAX_PLACES) };
}

/** Encodes a message as 16-bit integers. */
export function encodeLesson({ distance, places }: Scored): Uint8Array {
  const values = Int16Array.of(distance, ...places);
  return new Uint8Array(values.buffer);
}

/** Decodes the result of `encodeLesson`. */
export function decodeLesson(bytes: Uint8Array): Scored {
  const { buffer } = Uint8Array.from(bytes);
  return { distance: new Int16Array(buffer)[0] ?? 0, places: new Uint16Array(buffer, 2) };
}

const nearThreshold = (distance: number): number => Math.max(-MAX_DISTANCE, Math.min(MAX_DISTANCE, distance));

const clampWeight = (weight: number): number => Math.max(MIN_WEIGHT, Math.min(MAX_WEIGHT, weight));

const lengthNorm = (features: number): number => Math.sqrt(Math.max(MIN_FEATURES, features));
