import { yieldToEventLoop } from './yield-to-event-loop.ts';

const MAX_BLOCK_MS = 10;

/** Maps items like `Array.map`, yielding to the event loop after every 10 ms of work. */
export async function mapYielding<Item, Result>(
  items: Iterable<Item>,
  mapItem: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let startedAt = performance.now();
  for (const item of items) {
    results.push(mapItem(item));
    if (performance.now() - startedAt > MAX_BLOCK_MS) {
      await yieldToEventLoop();
      startedAt = performance.now();
    }
  }
  return results;
}
