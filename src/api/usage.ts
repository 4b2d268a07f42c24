import { Type } from '@sinclair/typebox';
import { planNamed } from '../domain/teams/plan.ts';
import { getPeriod } from '../domain/usage.ts';
import { formatTime } from '../lib/clock.ts';
import { Count, noun, nullable, Time } from '../lib/schema.ts';
import { operation } from './operation.ts';

/** A team's usage in a month, as the management API shows it. */
const UsageOutput = noun('Usage', {
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

export const usageOperations = [
  operation('GET', '/v1/usage', {
    id: 'readUsage',
    summary: 'Retrieve usage',
    description:
      "Returns the number of submissions accepted in the current calendar month (UTC) and the limit of the team's plan.",
    limitedKeys: 'open',
    output: UsageOutput,
    mcp: {
      name: 'get_usage',
      title: 'Get usage',
      description:
        'Returns the number of submissions of the team in this month (UTC), the limit of its plan and the rest.',
    },
    run: async ({ context: { store, clock, config }, teamId, plan }) => {
      const period = getPeriod(clock());
      const used = await store.usage.count(teamId, period.start);
      const limit = planNamed(config.plans, plan).submissions_limit;
      return {
        period_start: formatTime(period.start),
        period_end: formatTime(period.end),
        submissions_used: used,
        submissions_limit: limit,
        remaining: limit === null ? null : Math.max(0, limit - used),
      };
    },
  }),
];
