import { expect, test } from 'bun:test';
import { killRepeatedly } from '../../.ci/torture/kills.ts';

test('a server killed while serving and starting loses, duplicates or truncates no post, and sends each mail and webhook', async () => {
  const outcome = await killRepeatedly({ kills: 6, posts: 250 }, () => {});
  expect(outcome.faults).toEqual([]);
  expect(outcome.inStart).toBe(1);
  expect(outcome.deliveries).toBeGreaterThanOrEqual(outcome.acknowledged);
  expect(outcome.unanswered).toBeGreaterThan(0);
  expect(outcome.files).toBeGreaterThan(50);
});
