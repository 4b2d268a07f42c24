import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { planNamed } from '../../domain/plan.ts';
import { periodOf } from '../../domain/usage.ts';
import { success } from '../../http/envelope.ts';
import { formatTime } from '../../lib/clock.ts';
import type { KeyGuard } from './key-guard.ts';
import { readUsageOperation } from './openapi/management-operations.ts';

/** Registers the route for the team's usage in the current month. */
export function usageRoutes(context: Context, guard: KeyGuard) {
  const { store, clock, config } = context;
  return new Elysia().use(guard).get(
    '/v1/usage',
    async ({ teamId, plan }) => {
      const period = periodOf(clock());
      const used = await store.countUsage(teamId, period.start);
      const limit = planNamed(config.plans, plan).submissions_limit;
      return success({
        period_start: formatTime(period.start),
        period_end: formatTime(period.end),
        submissions_used: used,
        submissions_limit: limit,
        remaining: limit === null ? null : Math.max(0, limit - used),
      });
    },
    { detail: readUsageOperation },
  );
}
