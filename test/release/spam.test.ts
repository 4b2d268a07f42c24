import { expect, test } from 'bun:test';
import { judge } from '../spam/set.ts';

test('no genuine submission of the labeled validation set is flagged', async () => {
  const judged = await judge('held back');
  expect(judged.filter(({ isSpam, isFlagged }) => !isSpam && isFlagged)).toEqual([]);
});
