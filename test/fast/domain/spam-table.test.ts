import { expect, test } from 'bun:test';
import {
  applyLesson,
  decodeLesson,
  encodeLesson,
  guardedWeight,
  guardOf,
  HALF_LIFE,
  halvingsOf,
  type Lesson,
  lessonOf,
  TABLE_SIZE,
  tableWeight,
} from '../../../src/domain/spam-table.ts';

/** Returns distinct pseudo-random places; the same for the same seed. */
function placesOf(seed: number, count = 60): Uint16Array {
  const places = new Set<number>();
  for (let state = seed + 1; places.size < count; ) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    places.add((state >>> 8) % TABLE_SIZE);
  }
  return Uint16Array.from(places);
}

const lessons = (count: number, isSpam = (n: number) => n % 2 === 0): Lesson[] =>
  Array.from({ length: count }, (_, n) => lessonOf({ places: placesOf(n), distance: (n % 7) * -20 }, isSpam(n)));

function tableOf(all: readonly Lesson[]): Int16Array {
  const table = new Int16Array(TABLE_SIZE);
  for (const lesson of all) applyLesson(table, lesson, 1);
  return table;
}

test('a table is the sum of its lessons in any order, and without one as if it had never been', () => {
  const all = lessons(300);
  const table = tableOf(all);
  expect(tableOf(all.toReversed())).toEqual(table);
  for (const [index, lesson] of all.entries()) if (index % 3 === 0) applyLesson(table, lesson, -1);
  expect(table).toEqual(tableOf(all.filter((_, index) => index % 3 !== 0)));
});

test('sums that leave the range of an integer still cancel', () => {
  const lesson = { amount: 30_000, places: placesOf(1) };
  const table = tableOf([lesson, lesson, lesson]);
  for (let n = 0; n < 3; n++) applyLesson(table, lesson, -1);
  expect(table).toEqual(new Int16Array(TABLE_SIZE));
});

test('a lesson is encoded in a few kilobytes and decoded unchanged', () => {
  const lesson = lessonOf({ places: placesOf(5, 3_000), distance: -30 }, true);
  expect(encodeLesson(lesson).length).toBeLessThan(2_100);
  expect(decodeLesson(encodeLesson(lesson))).toEqual(lesson);
  const genuine = lessonOf({ places: placesOf(6), distance: 10 }, false);
  expect(genuine.amount).toBeLessThan(0);
  expect(decodeLesson(encodeLesson(genuine))).toEqual(genuine);
});

test('a lesson moves its own message and no other, and no table flags a message alone', () => {
  const places = placesOf(8);
  const table = tableOf(Array.from({ length: 500 }, () => lessonOf({ places, distance: -100 }, true)));
  expect(tableWeight(table, places)).toBe(90);
  expect(tableWeight(table, placesOf(9_000_000))).toBeLessThan(20);
});

test('the guard takes off so much that no genuine message reaches the threshold', () => {
  const spam = placesOf(11);
  const table = tableOf([
    lessonOf({ places: spam, distance: -20 }, true),
    lessonOf({ places: spam, distance: -20 }, true),
  ]);
  const genuine = [
    { places: spam, distance: -30 },
    { places: placesOf(12), distance: -5 },
  ];
  const raisedBy = guardOf(table, genuine);
  expect(raisedBy).toBeGreaterThan(0);
  expect(-30 + guardedWeight(table, raisedBy, spam)).toBeLessThan(-15);
  expect(guardOf(table, [{ places: spam, distance: 3 }])).toBe(0);
  const marked = tableOf([lessonOf({ places: spam, distance: 20 }, false)]);
  expect(guardedWeight(marked, raisedBy, spam)).toBe(tableWeight(marked, spam));
});

test('a lesson counts half after each yearly halving', () => {
  const lesson = { amount: -41, places: placesOf(3) };
  const table = new Int16Array(TABLE_SIZE);
  applyLesson(table, lesson, 1, 1);
  expect(table[lesson.places[0] ?? 0]).toBe(-20);
  expect([halvingsOf(10, 10), halvingsOf(10, 11), halvingsOf(0, HALF_LIFE), halvingsOf(0, 2 * HALF_LIFE)]).toEqual([
    0, 1, 1, 2,
  ]);
});
