import { HOUR, MINUTE, type Micros } from '../lib/clock.ts';

/** Delay before each retry, by number of failures; `MAX_BACKOFF` after these. */
const BACKOFF: readonly Micros[] = [1, 5, 15, 30, 60, 120, 240].map((minutes) => minutes * MINUTE);
const MAX_BACKOFF = 6 * HOUR;
const MAX_RETRY_SPAN = 96 * HOUR;

/** Upper bound of a retry delay. A mail due later than this was scheduled before the clock was set back. */
export const MAX_WAIT = MAX_BACKOFF * 1.25;

/**
 * Returns the time of the next attempt, or null to give up, four days after the first one. Counts failures instead of
 * elapsed time, because the clock may jump. `random` from 0 to 1 adds up to 20 % of jitter.
 */
export function nextAttemptAt(failures: number, now: Micros, random: number): Micros | null {
  if (totalBackoff(failures - 1) > MAX_RETRY_SPAN) return null;
  return now + Math.round(backoffAfter(failures) * (1 + random / 5));
}

/** Returns the delay after the given failure, counted from 1. */
export const backoffAfter = (failure: number): Micros => BACKOFF[failure - 1] ?? MAX_BACKOFF;

/** Returns the sum of the delays after the first `failures` failures. */
export function totalBackoff(failures: number): Micros {
  let sum = 0;
  for (let failure = 1; failure <= failures; failure++) sum += backoffAfter(failure);
  return sum;
}
