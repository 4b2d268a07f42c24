import { JsonText } from '../../http/envelope.ts';
import { formatTime, type Micros } from '../../lib/clock.ts';

/** A page of large submissions ends before this size of sealed payloads. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Returns the envelope of a page. `items` are JSON; `next` is the time to continue from, null at the end. */
export function pageOf(items: readonly string[], next: Micros | null): JsonText {
  const cursor = JSON.stringify(next === null ? null : formatTime(next));
  return new JsonText(`{"success":true,"data":{"items":[${items.join()}],"next_cursor":${cursor}}}`);
}
