import { expect, test } from 'bun:test';
import { JUMPS, jump } from '../../.ci/torture/clock-jumps.ts';

test('clock jumps lose, duplicate, reorder or expire no submission, and each mail is sent', async () => {
  const some = JUMPS.filter(({ to }) => ['forty days ahead', 'a year behind'].includes(to));
  const { acknowledged, faults } = await jump(some, 40);
  expect(faults).toEqual([]);
  expect(acknowledged).toEqual([60, 60]);
});
