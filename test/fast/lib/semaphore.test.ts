import { expect, test } from 'bun:test';
import { Semaphore } from '../../../src/lib/semaphore.ts';
import { until } from '../../support/until.ts';

test('runs at most `limit` tasks at once, in FIFO order, and continues after a failed task', async () => {
  const semaphore = new Semaphore(2);
  const started: number[] = [];
  const ends = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const all = ends.map(({ promise }, index) =>
    semaphore.run(() => {
      started.push(index);
      return promise;
    }),
  );
  expect([started, semaphore.waiting]).toEqual([[0, 1], 3]);
  ends[1]?.reject(new Error('failed'));
  await expect(all[1]).rejects.toThrow('failed');
  await until(() => started.length === 3, 'the next task to start');
  expect([started, semaphore.waiting]).toEqual([[0, 1, 2], 2]);
  for (const [index, { resolve }] of ends.entries()) resolve(index);
  const results = await Promise.allSettled(all);
  expect(started).toEqual([0, 1, 2, 3, 4]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  expect(await semaphore.run(async () => 'free again')).toBe('free again');
});
