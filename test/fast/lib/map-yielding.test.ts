import { expect, test } from 'bun:test';
import { mapYielding } from '../../../src/lib/map-yielding.ts';

test('keeps the order and lets timers run while it processes slow items', async () => {
  let turns = 0;
  const others = setInterval(() => turns++, 1);
  // Longer than the 10 ms after which it yields.
  const busy = (item: number) => {
    Bun.sleepSync(12);
    return item * 2;
  };
  expect(await mapYielding([1, 2, 3, 4, 5], busy)).toEqual([2, 4, 6, 8, 10]);
  clearInterval(others);
  expect(turns).toBeGreaterThan(0);
});

test('returns an empty list for an empty list', async () => {
  expect(await mapYielding([], String)).toEqual([]);
});
