import type { Context } from '../../context/context.ts';
import { AppError } from '../../domain/errors.ts';
import type { Role } from '../../domain/teams/roles.ts';
import { HOUR } from '../../lib/clock.ts';
import { SlidingWindow } from '../../lib/sliding-window.ts';
import { sendLink } from '../../services/mail/link-mail.ts';
import { createInvitation, parseAccountEmail } from '../../services/users/accounts.ts';
import { type Page, type PageContext, redirectTo } from '../page.ts';
import { roleIn } from './member-actions.tsx';
import type { ShowTeam } from './team-view.tsx';

/** Limit of mails per user. It keeps an instance from sending mails to many strangers. */
const MAILS_PER_HOUR = 30;

/** Returns the handlers that create and revoke invitations. `isMailing` tells if they are sent by mail. */
export function invitationActions(context: Context, isMailing: boolean, showTeam: ShowTeam) {
  const { store, clock, monotonic, log, mail, config } = context;
  const mailed = new SlidingWindow(MAILS_PER_HOUR, HOUR);

  const invite = async (page: PageContext<'manage'>, form: URLSearchParams): Promise<Page> => {
    const { viewer, team, user, request } = page;
    const { account, team: t } = viewer.texts;
    const input = { role: roleIn(form) ?? 'viewer', email: form.get('email') ?? '' };
    const { role } = input;
    const email = parseAccountEmail(input.email);
    if (email === null && input.email.trim() !== '') {
      return showTeam(page, { input, inviteError: account.noEmail, status: 400 });
    }
    if (isMailing && email !== null && !mailed.take(user.id, monotonic()).allowed) {
      return showTeam(page, { input, inviteError: t.tooMany, status: 429 });
    }
    const { token } = await createInvitation({ store, clock }, { teamId: team.id, role, email, createdBy: user.id });
    page.note({ role });
    const url = `${config.baseUrl ?? new URL(request.url).origin}/dashboard/welcome/${token}`;
    const isMailed = email !== null && (await mailInvitation(page, { url, role, email }));
    return showTeam(page, { created: { url, role, email, isMailed } });
  };

  /** Returns true if the mail server accepted the mail. */
  const mailInvitation = async ({ viewer, team, user }: PageContext<'manage'>, made: Addressed): Promise<boolean> => {
    if (!mail || !isMailing) return false;
    const { team: t, roles } = viewer.texts;
    const { outcome } = await sendLink(mail, clock, {
      to: made.email,
      language: viewer.language,
      url: made.url,
      subject: t.mail.subject(team.name),
      before: t.mail.before(team.name, roles[made.role], user.email),
      button: t.mail.button,
      after: t.mail.after,
    });
    if (outcome !== 'sent') log.error('an invitation was not mailed', { outcome });
    return outcome === 'sent';
  };

  const revoke = async ({ team, param }: PageContext<'manage'>): Promise<Response> => {
    if (await store.members.revokeInvitation(team.id, param('invitationId')))
      return redirectTo('/dashboard/team?done=revoked');
    throw new AppError('not_found', 'This team has no such invitation.');
  };

  return { invite, revoke };
}

type Addressed = Readonly<{ url: string; role: Role; email: string }>;
