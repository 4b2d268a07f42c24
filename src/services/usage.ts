import { type Plans, planNamed } from '../domain/plan.ts';
import { periodOf } from '../domain/usage.ts';
import { type Clock, formatTime } from '../lib/clock.ts';
import type { Store } from '../storage/store.ts';

type Deps = Readonly<{ store: Store; clock: Clock; plans: Plans }>;

/** Returns a team's usage in the current month, as the management API shows it. */
export async function readUsage({ store, clock, plans }: Deps, teamId: string, plan: string) {
  const period = periodOf(clock());
  const used = await store.usage.count(teamId, period.start);
  const limit = planNamed(plans, plan).submissions_limit;
  return {
    period_start: formatTime(period.start),
    period_end: formatTime(period.end),
    submissions_used: used,
    submissions_limit: limit,
    remaining: limit === null ? null : Math.max(0, limit - used),
  };
}
