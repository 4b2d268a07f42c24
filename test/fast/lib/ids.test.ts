import { describe, expect, test } from 'bun:test';
import { newId, randomString } from '../../../src/lib/ids.ts';

describe('ids', () => {
  test('carry their prefix and are never the same twice', () => {
    const ids = Array.from({ length: 10_000 }, () => newId('sub'));
    expect(ids.every((id) => /^sub_[0-9a-f]{32}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(10_000);
  });

  test('sort by creation', () => {
    const ids = Array.from({ length: 10_000 }, () => newId('sub'));
    expect(ids.toSorted()).toEqual(ids);
  });
});

describe('random text', () => {
  test('has the length asked for and every character of the alphabet, none else', () => {
    const text = randomString(2_000, 'abc');
    expect(text).toHaveLength(2_000);
    expect(new Set(text)).toEqual(new Set('abc'));
  });
});
