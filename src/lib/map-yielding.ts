import { yieldToEventLoop } from './yield-to-event-loop';

const MAX_BLOCK_MS = 10;

/** Like `map`, but others get a turn of the event loop whenever this has taken one for ten milliseconds. */
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
