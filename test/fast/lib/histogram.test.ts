import { expect, test } from 'bun:test';
import { Histogram } from '../../../src/lib/histogram.ts';

test('counts a value in the first bucket with an equal or higher bound, and others in the infinite bucket', () => {
  const histogram = new Histogram([1, 2, 4]);
  for (const value of [0, 1, 1.5, 2, 3, 4, 5, 100]) histogram.observe(value);
  expect(histogram.read()).toEqual({
    cumulative: [
      [1, 2],
      [2, 4],
      [4, 6],
      [Number.POSITIVE_INFINITY, 8],
    ],
    sum: 116.5,
  });
});
