import type { Context } from '../../../context/context.ts';
import type { InboxSelection } from '../../../domain/submissions/inbox.ts';
import type { Micros } from '../../../lib/clock.ts';
import type { Semaphore } from '../../../lib/semaphore.ts';
import { searchSubmissions } from '../../../services/submissions/search.ts';

/** Submissions that a bulk action searches at most, in a few seconds of work. */
const MAX_SEARCHED = 50_000;

/** Ids of submissions; `isComplete` is false if more match. */
export type Matches = Readonly<{ ids: readonly string[]; isComplete: boolean }>;

/**
 * Returns the ids of all matches, newest first, up to `limit`. Yields to the event loop like single searches, and ends after
 * `MAX_SEARCHED` submissions or when `signal` aborts.
 */
export async function searchAll(
  context: Context,
  selection: InboxSelection,
  q: string,
  { before, limit, signal }: Readonly<{ before: Micros; limit: number; signal: AbortSignal }>,
  semaphore: Semaphore,
): Promise<Matches> {
  const ids: string[] = [];
  let searched = 0;
  for (let from = before; ids.length < limit && searched < MAX_SEARCHED && !signal.aborted; ) {
    const page = { before: from, limit: limit - ids.length };
    const part = await searchSubmissions(context, selection, q, page, semaphore);
    ids.push(...part.found.map(({ submission: { id } }) => id));
    searched += part.searched;
    if (part.reached === null) return { ids, isComplete: true };
    from = part.reached;
  }
  return { ids, isComplete: false };
}
