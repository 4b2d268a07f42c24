import { DAY, type Micros } from '../lib/clock.ts';

/** The end of counts that no time ends: the greatest integer that all parts of the program can read. */
export const LASTING = Number.MAX_SAFE_INTEGER;

/** Owner of the latest `created_at` ever assigned to a submission, so that no time is used again after its row was deleted. */
export const CLOCK = 'clock';

/** The end of SQL that inserts additions into `counters`. */
export const ADD_ON_CONFLICT = `ON CONFLICT (until, owner) DO UPDATE
  SET amount = counters.amount + excluded.amount, spam = counters.spam + excluded.spam`;

/** SQL for the number of stored submissions of the form `f` without spam and trash; null for a form without a limit. */
export const PLACES_OF_FORM = `CASE WHEN f.max_submissions IS NOT NULL THEN
  coalesce((SELECT CAST(sum(amount) AS bigint) FROM counters WHERE owner = f.id AND until < ${LASTING}), 0) END`;

/** An addition to a row of `counters`. */
export type Addition = { owner: string; until: Micros; amount: number; spam: number };

/** Returns the end of the UTC day of a time. */
export const endOfDay = (at: Micros): Micros => (Math.floor(at / DAY) + 1) * DAY;

/** Returns the key of a counter in a map. */
export const counterKey = (owner: string, until: Micros): string => `${owner} ${until}`;

/** Returns additions in the order in which deletions and marks change their rows too: lasting ones first, then by time. */
export function inLockOrder(additions: readonly Addition[]): Addition[] {
  const place = ({ until }: Addition) => (until === LASTING ? 0 : until);
  return additions.toSorted((a, b) => place(a) - place(b) || (a.owner < b.owner ? -1 : 1));
}
