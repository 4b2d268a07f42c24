import { availableParallelism } from 'node:os';

/** Milliseconds of the probe on the machine on which the time limits were chosen: two cores of 2024, idle. */
const REFERENCE_MS = 50;
const ROUNDS = 3;

/** How many times slower than the reference this machine is now; at least 1. Takes about 0.2 s there. */
export function measureSlowness(): number {
  const slowest = Math.max(...Array.from({ length: ROUNDS }, probe));
  const oneCore = availableParallelism() < 2 ? 2 : 1;
  return Math.max(1, (oneCore * slowest) / REFERENCE_MS);
}

/** Milliseconds of a fixed piece of work, waits for a core included. */
function probe(): number {
  const began = performance.now();
  const hash = new Bun.CryptoHasher('sha256');
  const block = Buffer.alloc(4096, 7);
  let total = 0;
  for (let round = 0; round < 16_000; round++) {
    hash.update(block);
    total += JSON.stringify({ round, text: 'x'.repeat(round % 64) }).length;
  }
  hash.update(String(total)).digest();
  return performance.now() - began;
}

/** Factor by which time limits grow on this machine. `test/run.ts` measures it once for all workers. */
const SLOWNESS = Number(Bun.env.TEST_SLOWNESS ?? 1);

/** Limit of a test that sets none, in milliseconds; the runner's own default is 5 s. */
const TEST_MS = Number(Bun.env.TEST_TIMEOUT_MS ?? 5_000);

/** Limit of a wait, short of the test's own so that its message is seen. */
export const UNTIL_MS = 0.9 * TEST_MS;

/** A time limit for a test that needs more than the default, scaled to this machine: milliseconds for `seconds`. */
export function limit(seconds: number): number {
  return Math.max(TEST_MS, Math.ceil(seconds * 1000 * SLOWNESS));
}
