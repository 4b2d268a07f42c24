import { expect, test } from 'bun:test';
import { normalize } from '../../../src/lib/normalize.ts';

test.each([
  ['e\u0301', 'é'],
  ['a\u0301\u0316', 'a\u0316\u0301'.normalize('NFC')],
  ['ﬁ', 'ﬁ'],
  [`o${'\u0301\u0316'.repeat(15)}`, `o${'\u0301\u0316'.repeat(15)}`.normalize('NFC')],
])('composes %j like String.normalize', (text, composed) => {
  expect(normalize(text, 'NFC')).toBe(composed);
});

test('replaces compatibility characters with NFKC', () => {
  expect(normalize('ﬁ １', 'NFKC')).toBe('fi 1');
});

test.each(['NFC', 'NFKC'] as const)('splits a run of 100,000 combining marks (%s)', (form) => {
  const runs = normalize(`a${'\u0301\u0316'.repeat(50_000)}`, form).split('\u034f');
  expect(Math.max(...runs.map(({ length }) => length))).toBeLessThanOrEqual(31);
});
