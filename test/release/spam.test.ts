import { expect, test } from 'bun:test';
import { judge } from '../spam/set.ts';

test('no genuine submission is flagged in the half of the labelled set that nothing was learned from', async () => {
  const judged = await judge('held back');
  expect(judged.filter(({ isSpam, isFlagged }) => !isSpam && isFlagged)).toEqual([]);
});
