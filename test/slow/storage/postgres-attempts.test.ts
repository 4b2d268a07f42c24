import { afterAll, expect, test } from 'bun:test';
import { MINUTE, SECOND, systemClock } from '../../../src/lib/clock.ts';
import { openPostgresStore } from '../../../src/storage/postgres/open.ts';
import { migratedDatabase, withClient } from '../../support/postgres.ts';

const url = await migratedDatabase();
const time = { now: systemClock() };
const open = () => openPostgresStore(url, {}, () => time.now);
const [first, second] = await Promise.all([open(), open()]);
afterAll(() => Promise.all([first.close(), second.close()]));

const countRows = () =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM sign_in_attempts');
    return rows[0]?.count;
  });

test('two processes allow as many attempts together as one, also at once', async () => {
  const limits = [
    { name: 'client', limit: 7 },
    { name: 'account', limit: 9 },
  ];
  const stores = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? first : second));
  const waits = await Promise.all(stores.map((store) => store.signInAttempts.count(limits, MINUTE)));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(7);
  expect(new Set(waits.filter((wait) => wait > 0))).toEqual(new Set([MINUTE]));
  expect(await countRows()).toBe(14);
  // Nothing was counted under the account by refused attempts.
  const account = [{ name: 'account', limit: 9 }];
  expect(await first.signInAttempts.count(account, MINUTE)).toBe(0);
  expect(await second.signInAttempts.count(account, MINUTE)).toBe(0);
  expect(await first.signInAttempts.count(account, MINUTE)).toBe(MINUTE);
});

test('attempts that are taken back do not count, also many at once', async () => {
  const limits = [{ name: 'taken back', limit: 20 }];
  for (const store of [first, second]) {
    const waits = await Promise.all(Array.from({ length: 20 }, () => store.signInAttempts.count(limits, MINUTE)));
    expect(waits).toEqual(Array(20).fill(0));
    await Promise.all(waits.map(() => second.signInAttempts.takeBack(['taken back', 'unknown'])));
  }
  const waits = await Promise.all(Array.from({ length: 21 }, () => first.signInAttempts.count(limits, MINUTE)));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(20);
});

test('attempts are forgotten after their span, and their rows are deleted by later ones', async () => {
  const limits = [{ name: 'span', limit: 2 }];
  expect(await first.signInAttempts.count(limits, MINUTE)).toBe(0);
  time.now += 10 * SECOND;
  expect(await second.signInAttempts.count(limits, MINUTE)).toBe(0);
  expect(await first.signInAttempts.count(limits, MINUTE)).toBe(50 * SECOND);
  time.now += 50 * SECOND;
  expect(await first.signInAttempts.count(limits, MINUTE)).toBe(0);
  expect(await first.signInAttempts.count(limits, MINUTE)).toBe(10 * SECOND);
  time.now += 10 * MINUTE;
  expect(await countRows()).toBeGreaterThan(20);
  for (let count = 0; count < 5; count++) await second.signInAttempts.count([{ name: 'span', limit: 5 }], MINUTE);
  expect(await countRows()).toBe(5);
});

test('a clock that was hours ahead locks nobody out after its correction', async () => {
  const limits = [{ name: 'clock', limit: 1 }];
  time.now += 300 * MINUTE;
  expect(await first.signInAttempts.count(limits, MINUTE)).toBe(0);
  time.now -= 300 * MINUTE;
  expect(await first.signInAttempts.count(limits, MINUTE)).toBe(0);
  expect(await first.signInAttempts.count(limits, MINUTE)).toBe(MINUTE);
});
