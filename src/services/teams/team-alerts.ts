import { type Plans, planNamed } from '../../domain/teams/plan.ts';
import type { Team } from '../../domain/teams/team.ts';
import { getPeriod } from '../../domain/usage.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { Micros } from '../../lib/clock.ts';
import type { Store } from '../../storage/store.ts';
import type { Services } from '../services.ts';
import { readSettings } from '../webhooks/read-webhook.ts';

/** Problems of a team for every page and Status. Counts go up to the `max` of `readTeamAlerts`. */
export type TeamAlerts = Readonly<{
  /** The reason why all submissions of the team are refused; null while they are accepted. */
  refusal: 'disk' | 'plan' | 'storage' | null;
  /** The end of the month, at which a used up plan starts again. */
  periodEnd: Micros;
  /** Recipients of failed mails, one for each mail; null for a visitor. */
  failedRecipients: ReadonlyArray<string | null>;
  /** Mails that wait because the mail server can't be reached; 0 while it can. */
  waitingMails: number;
  failingWebhooks: readonly FailingWebhook[];
}>;

/** A webhook that rests or was disabled because of failures, with its form's name and its own name or host. */
export type FailingWebhook = Webhook & Readonly<{ formName: string; label: string }>;

/** Failing webhooks that are named. */
export const MAX_WEBHOOKS = 10;

type Deps = Pick<Services, 'store' | 'vault' | 'log' | 'clock'> &
  Readonly<{
    disk: Readonly<{ isLow: boolean }>;
    mail: Readonly<{ isFailing: () => boolean }>;
    config: Readonly<{ plans: Plans }>;
  }>;

/** Reads the alerts of a team, in constant time for each of its forms. */
export async function readTeamAlerts(deps: Deps, team: Team, max: number): Promise<TeamAlerts> {
  const { store, mail, clock } = deps;
  const period = getPeriod(clock());
  return {
    refusal: await toRefusalText(deps, team, period.start),
    periodEnd: period.end,
    failedRecipients: await store.mails.failedRecipients(team.id, max),
    waitingMails: mail.isFailing() ? await countWaitingMails(store, team.id, max) : 0,
    failingWebhooks: await listFailingWebhooks(deps, team.id),
  };
}

async function toRefusalText({ store, disk, config }: Deps, team: Team, month: Micros): Promise<TeamAlerts['refusal']> {
  const { submissions_limit: limit, storage_bytes: bytes = null } = planNamed(config.plans, team.plan);
  if (disk.isLow) return 'disk';
  if (limit !== null && (await store.usage.count(team.id, month)) >= limit) return 'plan';
  if (bytes !== null && (await store.usage.countStorage(team.id)) >= bytes) return 'storage';
  return null;
}

/** Counts the mails of a team that are not sent yet, up to `max`. */
export async function countWaitingMails(store: Store, teamId: string, max: number): Promise<number> {
  const retrying = await store.mails.countOfTeam(teamId, 'retrying', max);
  return Math.min(max, retrying + (await store.mails.countOfTeam(teamId, 'queued', max)));
}

/** Lists failing webhooks of one team or of all, with the names of their forms and their own. */
export async function listFailingWebhooks(
  { store, vault, log }: Pick<Deps, 'store' | 'vault' | 'log'>,
  teamId: string | null,
): Promise<FailingWebhook[]> {
  const failing = await store.webhooks.listFailing(MAX_WEBHOOKS, teamId ?? undefined);
  return failing.map((webhook) => ({ ...webhook, label: readSettings(vault, log, webhook)?.label ?? '' }));
}
