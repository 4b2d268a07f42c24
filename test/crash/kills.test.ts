import { expect, test } from 'bun:test';
import { killAgainAndAgain } from '../torture/kills.ts';

test('killed while it serves and while it starts, no post is lost, doubled, half there or left without its mail', async () => {
  const outcome = await killAgainAndAgain({ kills: 5, posts: 250 }, () => {});
  // How fast a machine starts a server is not for a test to say.
  expect(outcome.faults.filter((fault) => !fault.includes('not ready in time'))).toEqual([]);
  expect(outcome.unanswered).toBeGreaterThan(0);
  expect(outcome.files).toBeGreaterThan(50);
}, 60_000);
