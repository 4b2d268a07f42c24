import { availableParallelism } from 'node:os';

/** Duration of the probe in milliseconds on the reference machine of the time limits: two idle cores of 2024. */
const REFERENCE_MS = 50;
const ROUNDS = 3;

/** Returns this machine's slowdown relative to the reference machine, at least 1. Takes about 0.2 s there. */
export function measureSlowness(): number {
  const slowest = Math.max(...Array.from({ length: ROUNDS }, probe));
  const oneCore = availableParallelism() < 2 ? 2 : 1;
  return Math.max(1, (oneCore * slowest) / REFERENCE_MS);
}

/** Measures a fixed amount of work in milliseconds, including waits for a core. */
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

/** Factor of time limits on this machine. `test/run.ts` measures it once for all workers. */
const SLOWNESS = Number(Bun.env.TEST_SLOWNESS ?? 1);

/** Default timeout of a test in milliseconds; the runner's own is 5 s. */
const TEST_MS = Number(Bun.env.TEST_TIMEOUT_MS ?? 5_000);

/** Timeout of a wait, below the test's own so that its message is shown. */
export const UNTIL_MS = 0.9 * TEST_MS;

/** Returns the timeout in milliseconds of a test that needs `seconds`, scaled to this machine. */
export function limit(seconds: number): number {
  return Math.max(TEST_MS, Math.ceil(seconds * 1000 * SLOWNESS));
}
