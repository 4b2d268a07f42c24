import { type Static, Type } from '@sinclair/typebox';
import { planNamed } from '../../domain/teams/plan.ts';
import { getPeriod } from '../../domain/usage.ts';
import { formatTime } from '../../lib/clock.ts';
import { Count, noun, nullable, Time } from '../../lib/schema.ts';
import type { Services } from '../services.ts';

type Deps = Pick<Services, 'store' | 'clock' | 'plans'>;

/** A team's usage in a month, as the management API shows it. */
export const UsageOutput = noun('Usage', {
  period_start: { ...Time, example: '2026-11-01T00:00:00.000000Z' },
  period_end: { ...Time, example: '2026-12-01T00:00:00.000000Z' },
  submissions_used: Type.Integer({
    minimum: 0,
    description: 'Accepted submissions, including spam and deleted ones.',
    example: 412,
  }),
  submissions_limit: nullable(Count, 'The monthly limit. Null if unlimited.', { example: 5000 }),
  remaining: nullable(Count, 'Remaining submissions. Null if unlimited.', { example: 4588 }),
});

/** Returns a team's usage in the current month. */
export async function readUsage(deps: Deps, teamId: string, plan: string): Promise<Static<typeof UsageOutput>> {
  const { store, clock, plans } = deps;
  const period = getPeriod(clock());
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
