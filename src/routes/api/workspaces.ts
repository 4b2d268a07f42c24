import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { success } from '../../http/envelope.ts';
import { formatTime } from '../../lib/clock.ts';
import type { KeyGuard } from './key-guard.ts';
import { listWorkspacesOperation } from './openapi/management-operations.ts';

/** Registers the route to list workspaces. */
export function workspaceRoutes(context: Context, guard: KeyGuard) {
  return new Elysia().use(guard).get(
    '/v1/workspaces',
    async ({ teamId }) => {
      const workspaces = await context.store.listWorkspaces(teamId);
      return success(workspaces.map(({ id, name, createdAt }) => ({ id, name, created_at: formatTime(createdAt) })));
    },
    { detail: listWorkspacesOperation },
  );
}
