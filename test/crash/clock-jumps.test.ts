import { expect, test } from 'bun:test';
import { JUMPS, jump } from '../torture/clock-jumps.ts';

test('when the clock jumps, nothing is lost, doubled, out of order, taken for old or left without its mail', async () => {
  const some = JUMPS.filter(({ to }) => ['forty days ahead', 'a year behind'].includes(to));
  const { acknowledged, faults } = await jump(some, 40);
  expect(faults).toEqual([]);
  expect(acknowledged).toEqual([60, 60]);
});
