import { expect, test } from 'bun:test';
import { Semaphore } from '../../../src/lib/semaphore.ts';
import { until } from '../../support/until.ts';

test('turns let so many run at once, the others in order, also after one that failed', async () => {
  const turns = new Semaphore(2);
  const begun: number[] = [];
  const ends = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const all = ends.map(({ promise }, index) =>
    turns.run(() => {
      begun.push(index);
      return promise;
    }),
  );
  expect([begun, turns.waiting]).toEqual([[0, 1], 3]);
  ends[1]?.reject(new Error('failed'));
  await expect(all[1]).rejects.toThrow('failed');
  await until(() => begun.length === 3, 'the next to begin');
  expect([begun, turns.waiting]).toEqual([[0, 1, 2], 2]);
  for (const [index, { resolve }] of ends.entries()) resolve(index);
  const results = await Promise.allSettled(all);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  expect(await turns.run(async () => 'free again')).toBe('free again');
});
