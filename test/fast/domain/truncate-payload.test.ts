import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { maskPayload } from '../../../src/domain/masking/masking.ts';
import type { Payload } from '../../../src/domain/submissions/submission.ts';
import { truncatePayload } from '../../../src/domain/submissions/truncate-payload.ts';

test('values are cut, and later fields become empty once the total is reached', () => {
  const payload: Payload = [
    ['a', 'x'.repeat(500)],
    ['b', 'y'.repeat(500)],
    ['c', 'z'],
  ];
  expect(truncatePayload(payload, 100, 300)).toEqual([
    ['a', 'x'.repeat(100)],
    ['b', 'y'.repeat(100)],
    ['c', ''],
  ]);
});

test('nested values are walked only up to the limit', () => {
  const items = Array.from({ length: 100_000 }, () => 1);
  const [[, list] = []] = truncatePayload([['a', [[items]]]], 100, 1_000);
  // The three lists count too.
  expect(JSON.stringify(list)).toBe(`[[[${Array.from({ length: 97 }, () => 1).join(',')}]]]`);
  const [[, empty] = []] = truncatePayload([['a', items.map(() => '')]], 100, 1_000);
  expect(JSON.stringify(empty)).toBe(JSON.stringify(Array.from({ length: 99 }, () => '')));
  const wide = Object.fromEntries(items.map((_, index) => [`name${index}`, { inner: 'x'.repeat(50) }]));
  expect(JSON.stringify(truncatePayload([['a', wide]], 100, 1_000)).length).toBeLessThan(400);
});

test('small payloads are unchanged', () => {
  const leaf = fc.oneof(fc.string({ maxLength: 5 }), fc.integer(), fc.boolean(), fc.constant(null));
  const value = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(fc.string({ maxLength: 3 }), leaf));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), value), { maxLength: 5 }), (payload) => {
      const entries = payload as unknown as Payload;
      expect(JSON.stringify(truncatePayload(entries, 1_000, 100_000))).toBe(JSON.stringify(entries));
    }),
  );
});

test.each([...Array(60).keys()])(
  'a card number %d characters before the limit is masked as in the whole text',
  (before) => {
    const text = `${'x'.repeat(200 - before)} 4242-4242-4242-4242 ${'x'.repeat(200)}`;
    const [[, whole] = []] = maskPayload([['a', text]]);
    const [[, cut] = []] = maskPayload(truncatePayload([['a', text]], 200, 1_000));
    expect(String(cut).length).toBeGreaterThan(190);
    expect(String(whole)).toStartWith(String(cut));
  },
);

test.each([...Array(20).keys()])(
  'no digits of a number remain at the end of a list of numbers, at limit 1000 + %d',
  (more) => {
    for (const value of [
      '4242 4242 4242 4242, '.repeat(500),
      { inner: ['4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2, '.repeat(500)] },
    ]) {
      const cut = JSON.stringify(maskPayload(truncatePayload([['a', value]], 1_000 + more, 100_000)));
      expect(cut.replaceAll(/\*{12}[42]{0,4}/g, '')).not.toMatch(/\d/);
    }
  },
);

test('empty texts count, so that a list of them is walked only up to the limit', () => {
  const [[, list] = []] = truncatePayload([['a', Array.from({ length: 100_000 }, () => '')]], 100, 1_000);
  expect((list as readonly string[]).length).toBeLessThan(101);
});
