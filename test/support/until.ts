import { UNTIL_MS } from './speed.ts';

/**
 * Waits for a condition and returns its first truthy value. Checks every 5 ms. `awaited` completes "waiting for", such
 * as "the sweep to remove the file". Throws after `limitMs`, which by default is a little less than a test may take.
 */
export async function until<Value>(
  condition: () => Value | Promise<Value>,
  awaited: string,
  limitMs = UNTIL_MS,
): Promise<NonNullable<Value>> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (performance.now() > deadline)
      throw new Error(`gave up after ${Math.round(limitMs / 1000)} s waiting for ${awaited}`);
    await Bun.sleep(5);
  }
}
