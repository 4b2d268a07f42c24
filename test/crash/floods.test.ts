import { expect, test } from 'bun:test';
import { flood } from '../../.ci/torture/floods.ts';
import { readLargePages } from '../../.ci/torture/large-pages.ts';
import { floodMail } from '../../.ci/torture/mail-floods.ts';
import { WORST_BODIES } from '../../.ci/torture/worst-bodies.ts';

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

test('a flood of costly posts sends 60 notifications to each recipient, and every mail of another team', async () => {
  const size = { posts: 62, bodies: WORST_BODIES, recipients: 3, everyMs: 10, otherEveryMs: 50, mailMs: 0, minMs: 0 };
  const { answers, notifications, delays } = await floodMail('costly posts', size);
  expect(answers.get(200)).toBe(62 + delays.length);
  expect(notifications).toBe(3 * 60);
});

test('parallel readers of large submissions get all of them within bounded memory', async () => {
  const size = { posts: 16, bodies: WORST_BODIES, readers: 4, views: 1, minMs: 0 };
  const { read, memoryMiB } = await readLargePages(size);
  expect(read).toBe(4 * 16);
  expect(memoryMiB).toBeLessThan(400);
});
