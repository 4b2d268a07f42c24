import { expect, test } from 'bun:test';
import { judge, readHeldBack } from '../../.ci/spam/set.ts';

/** One of two hundred: a single odd text may change its side when the table is trained again. */
const MAX_FLAGGED = 0.005;
const MIN_CAUGHT = 0.75;

test('few genuine texts of the held-back set are marked as spam, and most spam is', async () => {
  const judged = await judge(await readHeldBack());
  const genuine = judged.filter(({ isSpam }) => !isSpam);
  const spam = judged.filter(({ isSpam }) => isSpam);
  const flagged = genuine.filter(({ isFlagged }) => isFlagged);
  expect(flagged.length / genuine.length).toBeLessThanOrEqual(MAX_FLAGGED);
  expect(spam.filter(({ isFlagged }) => isFlagged).length / spam.length).toBeGreaterThanOrEqual(MIN_CAUGHT);
});
