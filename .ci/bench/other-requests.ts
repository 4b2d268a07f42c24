/** Interval between measured requests, which do not wait for earlier answers. */
export const INTERVAL_MS = 20;

/** Durations of requests in milliseconds. */
export type Timing = Readonly<{ health: number[]; posts: number[] }>;

async function timed(url: string, options: RequestInit = {}): Promise<number> {
  const began = performance.now();
  const answer = await fetch(url, options);
  if (answer.status !== 200) throw new Error(`${url} was answered with ${answer.status}`);
  await answer.text();
  return performance.now() - began;
}

/** Sends requests at a fixed rate as long as `shouldContinue` returns true, and returns their durations. */
export async function measureOtherRequests(url: string, form: string, shouldContinue: () => boolean): Promise<Timing> {
  const health: Array<Promise<number>> = [];
  const posts: Array<Promise<number>> = [];
  const began = performance.now();
  const body = new URLSearchParams({ name: 'Ada', email: 'ada@example.com', message: 'Is the shop open on Sunday?' });
  while (shouldContinue()) {
    health.push(timed(`${url}/healthz`));
    posts.push(timed(`${url}/v1/forms/${form}/submissions`, { method: 'POST', body }));
    await Bun.sleep(Math.max(0, began + health.length * INTERVAL_MS - performance.now()));
  }
  return { health: await Promise.all(health), posts: await Promise.all(posts) };
}

/** Returns the cells of a row: count, p50, p95, p99 and maximum. */
export function timingRow(name: string, figures: readonly number[]): string[] {
  const sorted = figures.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(1);
  return [name, String(figures.length), at(0.5), at(0.95), at(0.99), at(1)];
}
