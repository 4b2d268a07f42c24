import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { success } from '../../http/envelope.ts';
import { readUsage } from '../../services/usage.ts';
import type { KeyGuard } from './key-guard.ts';
import { readUsageOperation } from './openapi/management-operations.ts';

/** Registers the route for the team's usage in the current month. */
export function usageRoutes(context: Context, guard: KeyGuard) {
  const deps = { ...context, plans: context.config.plans };
  return new Elysia()
    .use(guard)
    .get('/v1/usage', async ({ teamId, plan }) => success(await readUsage(deps, teamId, plan)), {
      detail: readUsageOperation,
    });
}
