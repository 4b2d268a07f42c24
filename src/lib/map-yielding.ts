import { yieldToEventLoop } from './yield-to-event-loop.ts';

const TURN_MS = 10;

/** Like `map`, but others get a turn of the event loop whenever this has taken one for ten milliseconds. */
export async function mapYielding<Item, Result>(
  items: Iterable<Item>,
  change: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let turnBegan = performance.now();
  for (const item of items) {
    results.push(change(item));
    if (performance.now() - turnBegan > TURN_MS) {
      await yieldToEventLoop();
      turnBegan = performance.now();
    }
  }
  return results;
}
