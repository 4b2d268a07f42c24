import { describe, expect, test } from 'bun:test';
import { newId, randomString } from '../../../src/lib/ids.ts';

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

describe('a random string', () => {
  test('has the requested length and only characters of the alphabet', () => {
    const text = randomString(2_000, 'abc');
    expect(text).toHaveLength(2_000);
    expect(new Set(text)).toEqual(new Set('abc'));
  });
});
