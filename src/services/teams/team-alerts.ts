import { type Plans, planNamed } from '../../domain/teams/plan.ts';
import type { Team } from '../../domain/teams/team.ts';
import { getPeriod } from '../../domain/usage.ts';
import type { Clock, Micros } from '../../lib/clock.ts';
import type { Store } from '../../storage/store.ts';

/** Alerts of a team for every page. Counts go up to the `max` of `readTeamAlerts`. */
export type TeamAlerts = Readonly<{
  /** The reason why all submissions of the team are refused; null while they are accepted. */
  refusal: 'disk' | 'plan' | 'storage' | null;
  /** The end of the month, at which a used up plan starts again. */
  periodEnd: Micros;
  failedMails: number;
  /** Mails that wait because the mail server fails; 0 while it works. */
  waitingMails: number;
  failingWebhooks: number;
}>;

/** `mail` is null without a mail server. */
type Deps = Readonly<{
  store: Store;
  disk: Readonly<{ isLow: boolean }>;
  mail: Readonly<{ isFailing: () => boolean }> | null;
  clock: Clock;
  config: Readonly<{ plans: Plans }>;
}>;

/** Reads the alerts of a team, in constant time for each of its forms. */
export async function readTeamAlerts(deps: Deps, team: Team, max: number): Promise<TeamAlerts> {
  const { store, mail, clock } = deps;
  const period = getPeriod(clock());
  return {
    refusal: await toRefusalText(deps, team, period.start),
    periodEnd: period.end,
    failedMails: await store.mails.countFailed(team.id, max),
    waitingMails: mail?.isFailing() ? await store.mails.countOfTeam(team.id, 'retrying', max) : 0,
    failingWebhooks: await store.webhooks.countFailing(team.id, max),
  };
}

async function toRefusalText({ store, disk, config }: Deps, team: Team, month: Micros): Promise<TeamAlerts['refusal']> {
  const { submissions_limit: limit, storage_bytes: bytes = null } = planNamed(config.plans, team.plan);
  if (disk.isLow) return 'disk';
  if (limit !== null && (await store.usage.count(team.id, month)) >= limit) return 'plan';
  if (bytes !== null && (await store.usage.countStorage(team.id)) >= bytes) return 'storage';
  return null;
}
