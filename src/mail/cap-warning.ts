import type { CapWarning } from '../domain/mail/mail.ts';
import { type Plans, planNamed } from '../domain/teams/plan.ts';
import type { Team } from '../domain/teams/team.ts';
import { usageAtPercent } from '../domain/usage.ts';
import { dashboardUrl } from './dashboard-link.ts';
import type { MailLocale } from './locale.ts';
import { noReplyMail } from './no-reply.ts';
import { shortName } from './subject.ts';

/**
 * Composes the warning that a team has used `percent` of its plan's monthly submissions. Returns null if `used` is below
 * that share of the plan's current limit.
 */
export function capWarningMail(
  { plans, baseUrl, locale }: Readonly<{ plans: Plans; baseUrl: string | null; locale: MailLocale }>,
  team: Team,
  { percent, coversUntil }: CapWarning,
  used: number,
) {
  const limit = planNamed(plans, team.plan).submissions_limit;
  if (limit === null || used < usageAtPercent(percent, limit)) return null;
  const { language, texts, number, time } = locale;
  const { capWarning: t } = texts;
  const end = time(coversUntil, 'UTC');
  const url = dashboardUrl(baseUrl, 'usage');
  return noReplyMail({
    language,
    title: t.title(shortName(team.name), percent),
    rows: [
      { name: null, text: t.used(team.plan, number(limit), number(used)) },
      { name: null, text: used < limit ? t.willStop(end) : t.hasStopped(end) },
    ],
    preview: used < limit ? t.willStop(end) : t.hasStopped(end),
    actions: url === null ? [] : [{ text: t.usage, url }],
    notes: url === null ? [t.changePlan(team.id)] : [],
  });
}
