import { type Clock, HOUR, type Micros } from '../lib/clock.ts';
import type { RewriteProgress, Store } from '../storage/store.ts';

type Deps = Readonly<{ store: Store; clock: Clock }>;

/** Interval of rewrites, each of which covers all erasures until then. */
const REWRITE_INTERVAL = HOUR;
const MAX_WAIT_MS = 60_000;
const POLL_MS = 100;

/** Returns the time from which a server covers a request: rewrites the database, or only empties its log. */
export function dueTime({ rewritten, attemptedAt }: RewriteProgress, request: number, now: Micros): Micros {
  if (rewritten >= request || attemptedAt > now) return now;
  return Math.max(now, attemptedAt + REWRITE_INTERVAL);
}

/** Waits while a request is due and a server is about to cover it, at most a minute. */
export async function awaitRewrite({ store, clock }: Deps, request: number): Promise<void> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < MAX_WAIT_MS) {
    const progress = await store.readRewrites();
    const now = clock();
    if (progress.cleared >= request || dueTime(progress, request, now) > now) return;
    await Bun.sleep(POLL_MS);
  }
}
