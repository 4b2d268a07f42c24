import { describe, expect, test } from 'bun:test';
import { MAX_PATTERN_INPUT_UNITS, matchesPattern, patternError } from '../../../src/domain/fields/pattern.ts';

describe('a pattern', () => {
  test.each([
    ['[0-9]{5}', '12345', true],
    ['[0-9]{5}', '12345 ', false],
    ['[0-9]{5}', 'A12345', false],
    ['a|ab', 'ab', true],
    ['a', 'a\n', false],
    ['^a$', 'a', true],
    ['.', '😀', true],
    ['\\p{L}+', 'Zoë', true],
    ['(?i)straße', 'STRAßE', true],
    ['[A-Z]{2}', 'ab', false],
  ])('%j matches %j as a whole: %p', (pattern, text, matches) => {
    expect(matchesPattern(pattern, [text])).toBe(matches);
  });

  test('must match every text', () => {
    expect(matchesPattern('[a-z]+', ['one', 'two'])).toBe(true);
    expect(matchesPattern('[a-z]+', ['one', '2'])).toBe(false);
  });

  test('never matches texts that together exceed the limit', () => {
    const half = 'a'.repeat(MAX_PATTERN_INPUT_UNITS / 2);
    expect(matchesPattern('a*', [half + half])).toBe(true);
    expect(matchesPattern('a*', [half, half])).toBe(true);
    expect(matchesPattern('a*', [`${half}${half}a`])).toBe(false);
    expect(matchesPattern('a*', [half, `${half}a`])).toBe(false);
  });

  test('gives the same result after the cache was overwritten', () => {
    const answers = Array.from({ length: 1_000 }, (_, n) => matchesPattern(`a+${n}`, [`aa${n}`]));
    expect(answers.every(Boolean)).toBe(true);
    expect([matchesPattern('a+3', ['aa3']), matchesPattern('a+3', ['aa4'])]).toEqual([true, false]);
  });
});

/** Patterns with exponential run time in a backtracking engine. */
const HOSTILE: ReadonlyArray<readonly [pattern: string, text: string, matches: boolean]> = [
  ['(a+)+b', 'a'.repeat(4_096), false],
  ['(a?){50}a{50}', 'a'.repeat(50), true],
  ['(a?){50}a{50}', 'a'.repeat(4_096), false],
  ['(x+x+)+y', 'x'.repeat(4_096), false],
  ['(.*a){59}', 'ab'.repeat(2_048), false],
  ['([a-z]|[a-y]|[b-z])*1', 'm'.repeat(4_096), false],
];

test.each(HOSTILE)('%j is valid and terminates', (pattern, text, matches) => {
  expect(patternError(pattern)).toBeNull();
  expect(matchesPattern(pattern, [text])).toBe(matches);
});

describe('a pattern is invalid', () => {
  test.each(['[', '(', '*a', '(?=a)b', '(?!a)b', '(?<=a)b', '(?<!a)b', '(a)\\1', '(?<n>a)\\k<n>', 'a{1001}'])(
    'if it does not compile: %j',
    (pattern) => {
      expect(patternError(pattern)).toStartWith('does not compile');
    },
  );

  test('and the message names the supported syntax', () => {
    expect(patternError('(?=a)b')).toMatch(/does not compile .*RE2 .*without look-around and backreferences/);
  });

  test.each(['a{400}', '(.*a){90}', '((a{10}){10}){4}'])('if its compiled program is too large: %s', (pattern) => {
    expect(patternError(pattern)).toMatch(/too large: it compiles to \d+ instructions, the limit is 300/);
  });
});
