import { expect, test } from 'bun:test';
import {
  decodeLesson,
  encodeLesson,
  fitTable,
  getHalvings,
  getLesson,
  getThreshold,
  HALF_LIFE,
  type Lesson,
  learnedWeight,
  TABLE_SIZE,
  tableWeight,
} from '../../../src/domain/spam/spam-table.ts';

/** Returns distinct pseudo-random places; the same for the same seed. */
function placesOf(seed: number, count = 60): Uint16Array {
  const places = new Set<number>();
  for (let state = seed + 1; places.size < count; ) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    places.add((state >>> 8) % TABLE_SIZE);
  }
  return Uint16Array.from(places);
}

const lesson = (seed: number, isSpam: boolean, distance = -20, halvings = 0): Lesson => ({
  ...{ places: placesOf(seed), distance, isSpam, halvings },
});
const lessons = (count: number): Lesson[] =>
  Array.from({ length: count }, (_, n) => lesson(n, n % 2 === 0, (n % 7) * -20));

function fit(all: readonly Lesson[]) {
  for (const steps = fitTable(all); ; ) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

test('a table depends on its lessons only, and one without lessons is empty', () => {
  const all = lessons(300);
  const { table } = fit(all);
  expect(fit(all.map((one) => ({ ...one }))).table).toEqual(table);
  const rest = all.filter((_, index) => index % 3 !== 0);
  expect(fit(rest).table).not.toEqual(table);
  expect(fit([]).table).toEqual(new Int16Array(TABLE_SIZE));
});

test('a table is the sum of the amounts of its lessons', () => {
  const all = lessons(50);
  const { table, amounts } = fit(all);
  const sum = new Int16Array(TABLE_SIZE);
  for (const [index, { places }] of all.entries()) {
    for (const place of places) sum[place] = (sum[place] ?? 0) + (amounts[index] ?? 0);
  }
  expect([...sum]).toEqual([...table]);
  const other = Int16Array.from(table);
  for (const place of all[7]?.places ?? []) other[place] = (other[place] ?? 0) - (amounts[7] ?? 0);
  const places = all[7]?.places ?? new Uint16Array(0);
  expect(tableWeight(table, places, amounts[7])).toBeCloseTo(tableWeight(other, places), 6);
});

test('an encoded lesson takes a few kilobytes, and is decoded unchanged', () => {
  const long = getLesson({ places: placesOf(5, 3_000), distance: -30 });
  expect(encodeLesson(long).length).toBeLessThan(2_100);
  expect(decodeLesson(encodeLesson(long))).toEqual(long);
  const far = getLesson({ places: placesOf(6), distance: -240 });
  expect(decodeLesson(encodeLesson(far))).toEqual({ distance: -60, places: placesOf(6) });
});

test('lessons move their own message and no other, and no table flags a message alone', () => {
  const places = placesOf(8);
  const { table } = fit(Array.from({ length: 500 }, () => lesson(8, true, -100)));
  expect(tableWeight(table, places)).toBe(110);
  expect(learnedWeight(table, -60, places)).toBe(110);
  expect(tableWeight(table, placesOf(9_000_000))).toBeLessThan(20);
});

test('a repeated lesson adds little, and a contradicted one loses', () => {
  const places = placesOf(9);
  const weightOf = (all: readonly Lesson[]) => tableWeight(fit(all).table, places);
  const once = weightOf([lesson(9, true)]);
  const often = weightOf(Array.from({ length: 50 }, () => lesson(9, true)));
  expect(once).toBeGreaterThan(30);
  expect(often).toBeLessThan(once * 5);
  const wrong = Array.from({ length: 10 }, (_, n) => lesson(9, n !== 4));
  expect(weightOf(wrong)).toBeGreaterThan(30);
});

const spread = (count: number, highest: number) =>
  Array.from({ length: count }, (_, n) => ({ places: placesOf(n + 1_000), distance: highest - n, own: 0 }));
const EMPTY = new Int16Array(TABLE_SIZE);

test('the threshold keeps a margin above most genuine messages', () => {
  expect(getThreshold(EMPTY, spread(100, -200), 0)).toBe(-25);
  expect(getThreshold(EMPTY, spread(100, -200), 5)).toBe(-35);
  expect(getThreshold(EMPTY, spread(100, -200), 1_000)).toBe(-40);
  expect(getThreshold(EMPTY, spread(100, -230), 1_000)).toBe(-40);
  expect(getThreshold(EMPTY, spread(30, -230), 1_000)).toBe(0);
  expect(getThreshold(EMPTY, [], 0)).toBe(0);
  expect(getThreshold(EMPTY, spread(100, -1), 0)).toBe(110);
});

test('a raised threshold takes off what flags genuine messages, and no more than the table adds', () => {
  const spam = placesOf(11);
  const { table } = fit([lesson(11, true), lesson(11, true)]);
  const near = [{ places: spam, distance: -30, own: 0 }];
  const raisedBy = getThreshold(table, [...near, ...spread(30, -220)], 0);
  expect(raisedBy).toBeGreaterThan(0);
  expect(-30 + learnedWeight(table, raisedBy, spam)).toBeLessThan(0);
  expect(learnedWeight(table, 110, placesOf(9_000_000))).toBe(0);
  const marked = fit([lesson(11, false, 20)]).table;
  expect(learnedWeight(marked, raisedBy, spam)).toBe(tableWeight(marked, spam));
  // One message in fifty may be spam that nobody marked.
  expect(getThreshold(table, [...near, ...spread(59, -190)], 0)).toBeLessThanOrEqual(0);
});

test('the threshold judges a message without its own lesson', () => {
  const { table, amounts } = fit([lesson(12, false, 10), lesson(12, true, 10), lesson(13, false)]);
  const message = { places: placesOf(12), distance: -150 };
  const learned = getThreshold(table, [{ ...message, own: amounts[0] ?? 0 }], 0);
  expect(learned).toBeGreaterThan(getThreshold(table, [{ ...message, own: 0 }], 0));
});

test('a lesson counts half after each yearly halving', () => {
  const [now, later] = [0, 1].map((halvings) => fit([lesson(3, false, -20, halvings)]).amounts[0] ?? 0);
  expect(later).toBe(Math.trunc((now ?? 0) / 2));
  expect([getHalvings(10, 10), getHalvings(10, 11), getHalvings(0, HALF_LIFE), getHalvings(0, 2 * HALF_LIFE)]).toEqual([
    0, 1, 1, 2,
  ]);
});
