/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../context/context.ts';
import type { AccountError } from '../../../services/users/accounts.ts';
import { hashToken } from '../../../services/users/sessions.ts';
import { action, type DashboardRoute, type Page, type PageContext, page, redirectTo } from '../../page.ts';
import { getTimeZone } from '../../ui/time-zone-field.tsx';
import type { Viewer } from '../../viewer.ts';
import { signInPath, welcomePath } from './paths.ts';
import type { SignInFlow } from './sign-in-flow.ts';
import { InvalidLinkView, type Invitation, JoinView, WelcomeView } from './welcome-view.tsx';

const PATH = '/dashboard/welcome/:token';

/**
 * Joins a team by a link, with a new account or the current one. Links come from the first start of the server, from
 * `formstead user create`, or from an owner. The address of an invitation only fills the form: anybody can use a link.
 */
export function welcomeRoutes({ store }: Context, flow: SignInFlow): readonly DashboardRoute[] {
  const findInvitation = async ({ param }: PageContext): Promise<Invitation | null> => {
    const token = param('token');
    const link = await store.users.findLink(hashToken(token));
    const team = link?.teamId ? await store.teams.find(link.teamId) : null;
    return link && team && { token, team, role: link.role ?? 'owner', email: link.email ?? '' };
  };

  /** Returns the page that connects the only form of a new team, else the list of forms. */
  const firstPage = async (teamId: string): Promise<string> => {
    const [form, other] = await store.forms.list(teamId);
    const hasSubmissions = (await store.usage.list(teamId, 1)).length > 0;
    return form && !other && !hasSubmissions ? `/dashboard/forms/${form.id}/connect` : '/dashboard/forms';
  };

  const show = async (page: PageContext) => {
    const { query, viewer, currentUser } = page;
    const invitation = await findInvitation(page);
    if (!invitation) return invalidLinkPage(viewer);
    if (currentUser && !currentUser.session.isPending) return joinPage(viewer, invitation, currentUser.user.email);
    return welcomePage(viewer, { invitation, email: query.get('email') ?? invitation.email });
  };

  const join = async ({ param, viewer, note, currentUser }: PageContext) => {
    const token = param('token');
    if (!currentUser || currentUser.session.isPending) {
      note({}, { action: null });
      return redirectTo(signInPath(welcomePath(token)));
    }
    const teamId = await store.members.joinByLink(hashToken(token), currentUser.user.id);
    if (teamId === null) return invalidLinkPage(viewer);
    await store.members.chooseTeam(currentUser.session.id, teamId);
    note({}, { action: 'member.joined', teamId });
    return redirectTo('/dashboard/team?done=joined');
  };

  const createAccount = async (page: PageContext, form: URLSearchParams) => {
    if (form.get('join') === 'yes') return join(page);
    const { param, viewer, note } = page;
    const invitation = await findInvitation(page);
    if (!invitation) return invalidLinkPage(viewer);
    flow.countNewPassword(page, param('token'));
    const timeZone = getTimeZone(form);
    const email = form.get('email') ?? '';
    const password = form.get('new_password') ?? '';
    const user = await flow.accounts.create(param('token'), { email, password, timeZone });
    if (user === 'link') return invalidLinkPage(viewer);
    if (typeof user === 'string') return welcomePage(viewer, { invitation, email, error: user });
    note({}, { user });
    const path = invitation.role === 'owner' ? await firstPage(invitation.team.id) : '/dashboard/forms';
    return flow.signIn(page, user, path, timeZone);
  };

  return [
    page(PATH, { access: 'open' }, show),
    action(PATH, { access: 'open', audit: 'account.created' }, createAccount),
  ];
}

type Props = Readonly<{ invitation: Invitation; email: string; error?: AccountError }>;

function welcomePage(viewer: Viewer, props: Props): Page {
  const { title } = viewer.texts.welcome;
  const body = <WelcomeView viewer={viewer} {...props} />;
  return { title, section: null, status: props.error ? 400 : 200, body };
}

function joinPage(viewer: Viewer, invitation: Invitation, email: string): Page {
  const { welcome, roles } = viewer.texts;
  const title = welcome.joinTitle(invitation.team.name, roles[invitation.role]);
  return { title, section: null, body: <JoinView viewer={viewer} invitation={invitation} email={email} /> };
}

function invalidLinkPage(viewer: Viewer): Page {
  return { title: viewer.texts.welcome.usedUp, section: null, status: 404, body: <InvalidLinkView viewer={viewer} /> };
}
