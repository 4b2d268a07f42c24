import type { Context } from '../../context/context.ts';
import { AppError } from '../../domain/errors.ts';
import { type Reach, type Role, reachOf } from '../../domain/teams/roles.ts';
import { HOUR } from '../../lib/clock.ts';
import { SlidingWindow } from '../../lib/sliding-window.ts';
import { sendLink } from '../../services/mail/link-mail.ts';
import { createInvitation, parseAccountEmail } from '../../services/users/accounts.ts';
import { type Page, type PageContext, redirectTo } from '../page.ts';
import { ACCOUNT_TEXTS } from '../users/account/texts.ts';
import { WELCOME_TEXTS } from '../users/sign-in/texts.ts';
import { reachIn, roleIn } from './member-actions.tsx';
import type { ShowTeam } from './team-view.tsx';
import { TEAM_TEXTS } from './texts.ts';

/** Limit of mails per user. It keeps an instance from sending mails to many strangers. */
const MAILS_PER_HOUR = 30;

/** Returns the handlers that create and revoke invitations. `isMailing` tells if they are sent by mail. */
export function invitationActions(context: Context, isMailing: () => boolean, showTeam: ShowTeam) {
  const { store, clock, monotonic, log, mail, config } = context;
  const mailed = new SlidingWindow(MAILS_PER_HOUR, HOUR);

  const invite = async (page: PageContext<'manage'>, form: URLSearchParams): Promise<Page> => {
    const { viewer, team, user, request } = page;
    const account = ACCOUNT_TEXTS[viewer.language];
    const t = TEAM_TEXTS[viewer.language];
    const role = roleIn(form) ?? 'viewer';
    const chosen = await reachIn(store, team.id, form);
    const workspaceIds = reachOf(role, chosen ?? null);
    const input = { role, workspaceIds, email: form.get('email') ?? '' };
    if (chosen === undefined && form.get('workspaces') === 'some') {
      return showTeam(page, { input: { ...input, workspaceIds: [] }, inviteError: t.noWorkspace, status: 400 });
    }
    const email = parseAccountEmail(input.email);
    if (email === null && input.email.trim() !== '') {
      return showTeam(page, { input, inviteError: account.noEmail, status: 400 });
    }
    if (isMailing() && email !== null && !mailed.take(user.id, monotonic()).allowed) {
      return showTeam(page, { input, inviteError: t.tooMany, status: 429 });
    }
    const to = { teamId: team.id, role, workspaceIds, email, createdBy: user.id };
    const { token } = await createInvitation({ store, clock }, to);
    page.note({ role, ...(workspaceIds && { workspaces: workspaceIds.join(', ') }) });
    const url = `${config.baseUrl ?? new URL(request.url).origin}/dashboard/welcome/${token}`;
    const isMailed = email !== null && (await mailInvitation(page, { url, role, workspaceIds, email }));
    return showTeam(page, { created: { url, role, workspaceIds, email, isMailed } });
  };

  /** Returns true if the mail server accepted the mail. */
  const mailInvitation = async ({ viewer, team, user }: PageContext<'manage'>, made: Addressed): Promise<boolean> => {
    if (!isMailing()) return false;
    const t = TEAM_TEXTS[viewer.language];
    const seen = (await store.workspaces.list(team.id)).filter(({ id }) => made.workspaceIds?.includes(id));
    const before = t.mail.before(team.name, made.role, user.email);
    const { outcome } = await sendLink(mail, clock, {
      to: made.email,
      language: viewer.language,
      url: made.url,
      subject: t.mail.subject(team.name),
      before: made.workspaceIds
        ? `${before} ${WELCOME_TEXTS[viewer.language].sees(seen.map(({ name }) => name))}`
        : before,
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

type Addressed = Readonly<{ url: string; role: Role; workspaceIds: Reach; email: string }>;
