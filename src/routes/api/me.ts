import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { success } from '../../http/envelope.ts';
import { formatTime } from '../../lib/clock.ts';
import { requireTeam } from '../../services/teams.ts';
import type { KeyGuard } from './key-guard.ts';
import { readKeyOperation } from './openapi/management-operations.ts';

/** Registers the route that describes the API key of the request. */
export function meRoutes({ store }: Context, guard: KeyGuard) {
  return new Elysia().use(guard).get(
    '/v1/me',
    async ({ key }) => {
      const team = await requireTeam(store, key.teamId);
      return success({
        id: key.id,
        name: key.name,
        scope: key.scope,
        expires_at: key.expiresAt === null ? null : formatTime(key.expiresAt),
        team: { id: team.id, name: team.name },
        plan: key.plan,
        form_ids: key.formIds,
      });
    },
    { detail: readKeyOperation },
  );
}
