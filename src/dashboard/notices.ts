import type { Context } from '../context/context.ts';
import { hasLimit, planNamed } from '../domain/teams/plan.ts';
import { finishedSteps, type SetupStep } from '../services/instance/first-steps.ts';
import { readTeamAlerts, type TeamAlerts } from '../services/teams/team-alerts.ts';
import { COUNT_LIMIT } from './ui/count.ts';
import type { Viewer } from './viewer.ts';

/** Notices that every page shows besides its own content. Counts go up to `COUNT_LIMIT`. */
export type Notices = Readonly<{
  alerts: TeamAlerts | null;
  /** True if the team's plan has a limit. */
  isLimited: boolean;
  /** The finished steps of setting up, for owners of a team that is not set up yet. */
  finishedSteps: ReadonlySet<SetupStep> | null;
  demo: Context['demo'];
}>;

export const NO_NOTICES: Notices = { alerts: null, isLimited: false, finishedSteps: null, demo: null };

/** Reads the notices for a viewer; none without a team. */
export async function readNotices(context: Context, viewer: Viewer): Promise<Notices> {
  const team = viewer.membership?.team;
  const { demo } = context;
  if (!team) return { ...NO_NOTICES, demo };
  const isSettingUp = viewer.can('manage') && team.setUpAt === null;
  return {
    alerts: await readTeamAlerts(context, team, COUNT_LIMIT),
    isLimited: hasLimit(planNamed(context.config.plans, team.plan)),
    finishedSteps: isSettingUp ? await finishedSteps(context, team) : null,
    demo,
  };
}
