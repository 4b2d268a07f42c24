/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context/context.ts';
import { planNamed } from '../../domain/teams/plan.ts';
import { getPeriod } from '../../domain/usage.ts';
import { type DashboardRoute, page } from '../page.ts';
import { UsageView } from './usage-view.tsx';

const MONTHS = 24;

/** The usage of the team's plan. */
export function usageRoutes({ store, clock, config }: Context): readonly DashboardRoute[] {
  return [
    page('/dashboard/usage', { access: 'read' }, async ({ viewer, team }) => {
      const { start, end } = getPeriod(clock());
      const used = await store.usage.count(team.id, start);
      const months = await store.usage.list(team.id, MONTHS);
      const stored = await store.usage.countStorage(team.id);
      const { submissions_limit: limit, storage_bytes: storageLimit = null } = planNamed(config.plans, team.plan);
      return {
        title: viewer.texts.sections.usage,
        section: 'usage',
        body: <UsageView {...{ viewer, plan: team.plan, limit, used, end, months, stored, storageLimit }} />,
      };
    }),
  ];
}
