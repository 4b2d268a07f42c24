import { expect, test } from 'bun:test';
import { flood } from '../torture/floods.ts';

test('unfinished posts are held or refused within the memory for bodies, and the server recovers', async () => {
  const size = { pages: 100, posts: 40, postBytes: 100 * 1024, texts: 4, minMs: 0 };
  const env = { BODY_MEMORY_BYTES: String(4 * 1024 * 1024), BODY_SECONDS: '1' };
  const figures = await flood(size, () => {}, env);
  const [texts, , posts, after] = figures;
  expect(figures.flatMap(({ latencies }) => latencies).every(Number.isFinite)).toBe(true);
  expect(posts?.answers.get(503)).toBeGreaterThanOrEqual(15);
  expect(texts?.answers.get(200)).toBe(4);
  expect(after?.answers.get(200)).toBe(1);
});
