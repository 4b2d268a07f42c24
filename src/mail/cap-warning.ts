import type { CapWarning } from '../domain/mail.ts';
import { type Plans, planNamed } from '../domain/plan.ts';
import type { Team } from '../domain/team.ts';
import { formatLocalTime } from '../domain/time-zone.ts';
import { usageAtPercent } from '../domain/usage.ts';
import { toSingleLine } from '../lib/one-line.ts';
import { noReplyMail } from './no-reply.ts';

const MAX_NAME_LENGTH = 100;

/**
 * Composes the warning that a team has used `percent` of its plan's monthly submissions. Returns null if `used` is below
 * that share of the plan's current limit.
 */
export function capWarningMail(plans: Plans, team: Team, { percent, coversUntil }: CapWarning, used: number) {
  const limit = planNamed(plans, team.plan).submissions_limit;
  if (limit === null || used < usageAtPercent(percent, limit)) return null;
  const end = `${formatLocalTime(coversUntil, 'UTC')} UTC`;
  return noReplyMail({
    title: `“${toSingleLine(team.name, MAX_NAME_LENGTH)}” has used ${percent}% of its submissions this month`,
    rows: [
      { name: null, text: `The plan “${team.plan}” includes ${limit} submissions a month. ${used} are used.` },
      {
        name: null,
        text:
          used < limit
            ? `At the limit, the team’s forms stop accepting submissions until ${end}.`
            : `The team’s forms don’t accept submissions until ${end}. Visitors see a message that says so.`,
      },
    ],
    notes: [`To change the plan, run: formstead team update ${team.id} --plan <plan>`],
  });
}
