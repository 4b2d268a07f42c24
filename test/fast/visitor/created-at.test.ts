import { afterAll, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { expectAccepted, kept, timesOf } from './helpers.ts';

const HOUR = 3_600_000_000;
const NOON = Date.UTC(2026, 10, 21, 12) * 1_000;

let now = NOON;

const instance = await startInstance({ clock: () => now });
afterAll(instance.stop);

/** Posts once at each clock time, to two forms alternately, and returns the creation times in order. */
async function createdAt(clockTimes: readonly number[]): Promise<number[]> {
  const [owner, other] = [await instance.makeOwner(), await instance.makeOwner()];
  for (const [index, time] of clockTimes.entries()) {
    now = time;
    const { form } = index % 2 === 0 ? owner : other;
    await expectAccepted(await instance.post(form.id, { index }));
  }
  const indexes = (await kept(instance, owner)).map(([field]) => field?.[1]);
  expect(indexes).toEqual([...clockTimes.keys()].filter((index) => index % 2 === 0).reverse());
  const [even, odd] = [await timesOf(instance, owner), await timesOf(instance, other)];
  return clockTimes.map((_, index) => (index % 2 === 0 ? even : odd)[index >> 1] ?? Number.NaN);
}

function expectStrictlyIncreasing(times: readonly number[]): void {
  expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).toBe(true);
}

test('is the time of the clock', async () => {
  const times = [NOON, NOON + 1, NOON + HOUR];
  expect(await createdAt(times)).toEqual(times);
});

test('increases even if the clock stops', async () => {
  expectStrictlyIncreasing(await createdAt(Array(6).fill(NOON + 2 * HOUR)));
});

test('increases if the clock is set back, and follows the clock again once it has caught up', async () => {
  const start = NOON + 3 * HOUR;
  const times = await createdAt([start, start - 1, start - HOUR, start - 24 * HOUR, start + HOUR, start + HOUR]);
  expectStrictlyIncreasing(times);
  expect(times[0]).toBe(start);
  expect(times[4]).toBe(start + HOUR);
});

test('is later than that of a deleted submission', async () => {
  const owner = await instance.makeOwner();
  now = NOON + 6 * HOUR;
  await instance.post(owner.form.id, { a: '1' });
  const [first = 0] = await timesOf(instance, owner);
  const [submission] = await instance.stored(owner);
  await instance.api('DELETE', `/v1/submissions/${submission?.id}`, { key: owner.writeKey });
  await instance.post(owner.form.id, { a: '2' });
  const [second = 0, ...others] = await timesOf(instance, owner);
  expect(others).toEqual([]);
  expect(second).toBeGreaterThan(first);
});

test('is different for 500 posts at the same moment', async () => {
  const owner = await instance.makeOwner();
  now = NOON + 9 * HOUR;
  await Promise.all(Array.from({ length: 500 }, (_, index) => instance.post(owner.form.id, { index })));
  const times = await timesOf(instance, owner);
  expect(new Set(times).size).toBe(500);
  expectStrictlyIncreasing(times);
});
