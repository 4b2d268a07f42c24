import { describe, expect, test } from 'bun:test';
import { newFormId } from '../../../src/domain/forms/form.ts';
import { getRandomPart, getTime, newId, randomString, withTime } from '../../../src/lib/ids.ts';

describe('ids', () => {
  test('have their prefix and are unique', () => {
    const ids = Array.from({ length: 10_000 }, () => newId('sub'));
    expect(ids.every((id) => /^sub_[0-9a-f]{32}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(10_000);
  });

  test('sort by creation time', () => {
    const ids = Array.from({ length: 10_000 }, () => newId('sub'));
    expect(ids.toSorted()).toEqual(ids);
  });
});

test('ids of forms are short, unique, and sort by creation time', () => {
  const ids = Array.from({ length: 10_000 }, newFormId);
  expect(ids.every((id) => /^frm_[0-9a-v]{16}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(10_000);
  expect(ids.toSorted()).toEqual(ids);
});

describe('the time of an id', () => {
  const times = [0, 1, 999, 1_000, 1_795_448_220_650_706, 2 ** 53 - 1];

  test.each(times)('is replaced and read: %d', (at) => {
    const id = newId('sub');
    const timed = withTime(id, at);
    expect(timed).toMatch(/^sub_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    expect([getTime(timed), getRandomPart(timed)]).toEqual([at, getRandomPart(id)]);
  });

  test('sorts ids', () => {
    const ids = times.map((at) => withTime(newId('sub'), at));
    expect(ids.toSorted()).toEqual(ids);
  });

  test.each(['', 'sub_1', 'sub_', `sub_${'0'.repeat(32)}`, `SUB_${'7'.repeat(32)}`, `sub_${'7'.repeat(33)}`])(
    'is no time of any submission if the id is not one: %p',
    (text) => {
      expect(getTime(text)).toBe(-1);
    },
  );
});

describe('a random string', () => {
  test('has the requested length and only characters of the alphabet', () => {
    const text = randomString(2_000, 'abc');
    expect(text).toHaveLength(2_000);
    expect(new Set(text)).toEqual(new Set('abc'));
  });
});
