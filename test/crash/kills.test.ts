import { expect, test } from 'bun:test';
import { killAgainAndAgain } from '../torture/kills.ts';

test('killed while it serves and while it starts, no post is lost, doubled, half there or left without its mail', async () => {
  const outcome = await killAgainAndAgain({ kills: 6, posts: 250 }, () => {});
  expect(outcome.faults).toEqual([]);
  expect(outcome.inStart).toBe(1);
  expect(outcome.unanswered).toBeGreaterThan(0);
  expect(outcome.files).toBeGreaterThan(50);
});
