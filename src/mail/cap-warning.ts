import type { CapWarning } from '../domain/mail.ts';
import { type Plans, planNamed } from '../domain/plan.ts';
import type { Team } from '../domain/team.ts';
import { formatLocalTime } from '../domain/time-zone.ts';
import { usageAtPercent } from '../domain/usage.ts';
import { toSingleLine } from '../lib/one-line.ts';
import { noReplyMail } from './no-reply';

const MAX_NAME = 100;

/** Warns a person of a team, which has `used` so much by now. Null if its plan takes more by now. */
export function capWarning(plans: Plans, team: Team, { percent, coversUntil }: CapWarning, used: number) {
  const limit = planNamed(plans, team.plan).submissions_limit;
  if (limit === null || used < usageAtPercent(percent, limit)) return null;
  const title = `“${toSingleLine(team.name, MAX_NAME)}” has used ${percent} % of its submissions this month`;
  const end = `${formatLocalTime(coversUntil, 'UTC')} UTC`;
  const content = {
    title,
    rows: [
      { name: null, text: `The plan “${team.plan}” takes ${limit} submissions a month. ${used} have come so far.` },
      {
        name: null,
        text:
          used < limit
            ? `If it is used up before ${end}, the team’s forms take no more until then.`
            : `The team’s forms take no more until ${end}. Visitors are told so.`,
      },
    ],
    notes: [`A larger plan helps at once: formstead team update ${team.id} --plan <plan>`],
  };
  return noReplyMail(content);
}
