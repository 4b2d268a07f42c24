import { DAY, type Micros } from '../lib/clock.ts';

/** Number of weights in a team's table. */
export const TABLE_SIZE = 1 << 14;

/** Table units of one unit of the spam score. */
const UNIT = 8;
/** Limit of a single weight when it is read, so that a few words never decide. */
const MAX_PLACE_WEIGHT = 20 * UNIT;
/** Lower limit of the feature count in the length norm, as in short texts single features would dominate. */
const MIN_FEATURES = 50;
/** Limits of the table's part of a score. The upper one is below the threshold: a table alone never flags a message. */
const MIN_WEIGHT = -120;
const MAX_WEIGHT = 90;

/** The change of a score by one lesson at most. */
const RATE = 40;
/** Width of the range around the threshold in which a message counts as uncertain. */
const SLOPE = 30;
/** Limit of the distance from the threshold in a lesson, so that words of clearly genuine messages are learned too. */
const MAX_DISTANCE = 45;
/** Distance from the threshold that the guard keeps free, for messages like the ones that it has seen. */
const GUARD_MARGIN = 15;
/** Limits the size of a lesson. Offers come early in a text. */
const MAX_PLACES = 1_024;

/** The changes that a message made to a table: `amount` was added at each of `places`. */
export type Lesson = Readonly<{ amount: number; places: Uint16Array }>;

/** A message's places in a table, and its score without the table, relative to the threshold. */
export type Scored = Readonly<{ places: Uint16Array; distance: number }>;

/** Lessons of each kind without which a table has no effect. */
export const MIN_LESSONS = 5;
/** Marks whose lessons a table keeps. */
export const MAX_MARKS = 2_000;
/** A lesson counts half after each year. */
export const HALF_LIFE = 365 * DAY;

/** Returns the table's part of a message's score. */
export function tableWeight(table: Int16Array, places: Uint16Array): number {
  let sum = 0;
  for (let index = 0; index < places.length; index++) {
    const weight = table[places[index] ?? 0] ?? 0;
    sum += Math.max(-MAX_PLACE_WEIGHT, Math.min(MAX_PLACE_WEIGHT, weight));
  }
  return Math.max(MIN_WEIGHT, Math.min(MAX_WEIGHT, sum / UNIT / lengthNorm(places.length)));
}

/** Returns the table's part of a score after the guard: `raisedBy` is taken from what counts as spam. */
export function guardedWeight(table: Int16Array, raisedBy: number, places: Uint16Array): number {
  const weight = tableWeight(table, places);
  return weight > 0 ? Math.max(0, weight - raisedBy) : weight;
}

/**
 * Returns the smallest `raisedBy` with which no genuine message below the threshold comes nearer to it than a margin,
 * unless it was nearer without the table.
 */
export function guardOf(table: Int16Array, genuine: readonly Scored[]): number {
  let raisedBy = 0;
  for (const { places, distance } of genuine) {
    const limit = distance < -GUARD_MARGIN ? -GUARD_MARGIN : 0;
    const above = distance + tableWeight(table, places) - limit;
    if (distance < limit && above >= 0) raisedBy = Math.max(raisedBy, Math.floor(above) + 1);
  }
  return raisedBy;
}

/** Returns how often a lesson was halved by the halving at `halvedAt`. */
export function halvingsOf(createdAt: Micros, halvedAt: Micros): number {
  return Math.max(0, Math.ceil((halvedAt - createdAt) / HALF_LIFE));
}

/**
 * Returns a step of logistic regression from the score without the table. It does not depend on the table, so a table is
 * the sum of its lessons in any order. A message that is clearly right teaches
 * little.
 */
export function lessonOf({ places, distance }: Scored, isSpam: boolean): Lesson {
  const near = Math.max(-MAX_DISTANCE, Math.min(MAX_DISTANCE, distance));
  const error = (isSpam ? 1 : 0) - 1 / (1 + Math.exp(-near / SLOPE));
  return {
    amount: Math.round((RATE * UNIT * error) / lengthNorm(places.length)),
    places: places.slice(0, MAX_PLACES),
  };
}

/**
 * Adds a lesson to the table, or subtracts it with -1. Weights are integers that wrap around and are clamped only when
 * they are read, so a subtraction cancels an addition exactly, in any order.
 */
export function applyLesson(table: Int16Array, { amount, places }: Lesson, sign: 1 | -1, halvings = 0): void {
  const change = sign * Math.trunc(amount / 2 ** halvings);
  for (const place of places) table[place] = (table[place] ?? 0) + change;
}

/** Encodes a lesson as 16-bit integers. */
export function encodeLesson({ amount, places }: Lesson): Uint8Array {
  const values = Int16Array.of(amount, ...places);
  return new Uint8Array(values.buffer);
}

/** Decodes the result of `encodeLesson`. */
export function decodeLesson(bytes: Uint8Array): Lesson {
  const { buffer } = Uint8Array.from(bytes);
  return { amount: new Int16Array(buffer)[0] ?? 0, places: new Uint16Array(buffer, 2) };
}

function lengthNorm(features: number): number {
  return Math.sqrt(Math.max(MIN_FEATURES, features));
}
