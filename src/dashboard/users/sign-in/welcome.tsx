/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../context/context.ts';
import { AppError } from '../../../domain/errors.ts';
import type { Role } from '../../../domain/teams/roles.ts';
import type { Team } from '../../../domain/teams/team.ts';
import type { AccountError } from '../../../services/users/accounts.ts';
import { hashToken } from '../../../services/users/sessions.ts';
import type { Store } from '../../../storage/store.ts';
import { action, type DashboardRoute, type Page, type PageContext, page, redirectTo } from '../../page.ts';
import { ErrorMessage, LinkLine } from '../../ui/elements.tsx';
import { NewPasswordField } from '../../ui/password-field.tsx';
import { ProviderButton } from '../../ui/provider.tsx';
import { getTimeZone, TimeZoneField } from '../../ui/time-zone-field.tsx';
import type { Viewer } from '../../viewer.ts';
import { ACCOUNT_TEXTS } from '../account/texts.ts';
import { EmailField } from './components.tsx';
import { signInPath, welcomePath } from './paths.ts';
import { requirePasswords, type SignInFlow } from './sign-in-flow.ts';
import { PASSWORD_TEXTS, SIGN_IN_TEXTS, WELCOME_TEXTS } from './texts.ts';

const PATH = '/dashboard/welcome/:token';

/**
 * Joins a team by a link, with a new account or the current one. Links come from the first start of the server, from
 * `formstead user create`, or from an owner. The address of an invitation only fills the form, except behind a proxy.
 */
export function welcomeRoutes({ store, config }: Context, flow: SignInFlow): readonly DashboardRoute[] {
  /** Returns the page that connects the only form of a new team, else the list of forms. */
  const firstPage = async (teamId: string): Promise<string> => {
    const [form, other] = await store.forms.list(teamId);
    const hasSubmissions = (await store.usage.list(teamId, 1)).length > 0;
    return form && !other && !hasSubmissions ? `/dashboard/forms/${form.id}/connect` : '/dashboard/forms';
  };

  const show = async (page: PageContext) => {
    const { query, viewer, currentUser } = page;
    const invitation = await findInvitation(store, page.param('token'));
    if (!invitation) return invalidLinkPage(viewer);
    if (currentUser && !currentUser.session.isPending) return joinPage(viewer, invitation, currentUser.user.email);
    return welcomePage(viewer, config, { invitation, email: query.get('email') ?? invitation.email });
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
    const invitation = await findInvitation(store, param('token'));
    if (!invitation) return invalidLinkPage(viewer);
    requirePasswords(config);
    const fixed = fixedAddress(config, invitation);
    if (fixed === '') {
      throw new AppError('not_from_here', 'AUTH_HEADER is set.', { reason: ['not_by_proxy'] });
    }
    flow.countNewPassword(page, param('token'));
    const timeZone = getTimeZone(form);
    const email = fixed ?? form.get('email') ?? '';
    const password = form.get('new_password') ?? '';
    const user = await flow.accounts.create(param('token'), { email, password, timeZone });
    if (user === 'link') return invalidLinkPage(viewer);
    if (typeof user === 'string') return welcomePage(viewer, config, { invitation, email, error: user });
    note({}, { user });
    const path = invitation.role === 'owner' ? await firstPage(invitation.team.id) : '/dashboard/forms';
    return flow.signIn(page, user, path, timeZone);
  };

  return [
    page(PATH, { access: 'open' }, show),
    action(PATH, { access: 'open', audit: 'account.created' }, createAccount),
  ];
}

/**
 * A valid link into a team. `workspaces` has the names of those in reach, null for all; `email` may be empty. `isFirst`
 * is true for an owner while the server has no account.
 */
type Invitation = Readonly<{
  token: string;
  team: Team;
  role: Role;
  workspaces: readonly string[] | null;
  email: string;
  isFirst: boolean;
}>;

/** Returns the invitation of a valid link into a team, else null. */
export async function findInvitation(store: Store, token: string): Promise<Invitation | null> {
  const link = await store.users.findLink(hashToken(token));
  const team = link?.teamId ? await store.teams.find(link.teamId) : null;
  if (!link || !team) return null;
  const all = link.workspaceIds ? await store.workspaces.list(team.id) : [];
  const workspaces =
    link.workspaceIds && all.filter(({ id }) => link.workspaceIds?.includes(id)).map(({ name }) => name);
  const role = link.role ?? 'owner';
  const isFirst = role === 'owner' && !(await store.users.exist());
  return { token, team, role, workspaces: workspaces ?? null, email: link.email ?? '', isFirst };
}

type Props = Readonly<{ invitation: Invitation; email: string; error?: AccountError }>;

/**
 * Returns the only address that a link may register while a proxy names users, empty for none: who has a link could
 * otherwise take the account of somebody whom the proxy has not named yet. Null for any address.
 */
const fixedAddress = ({ authHeader }: Context['config'], { email, isFirst }: Invitation): string | null =>
  authHeader && !isFirst ? email : null;

/** Creates an account in the team of a link. */
function welcomePage(viewer: Viewer, config: Context['config'], { invitation, email, error }: Props): Page {
  const { token, team, role, workspaces, isFirst } = invitation;
  const t = WELCOME_TEXTS[viewer.language];
  const fixed = fixedAddress(config, invitation) || null;
  const messages = {
    email: ACCOUNT_TEXTS[viewer.language].noEmail,
    taken: t.taken,
    ...PASSWORD_TEXTS[viewer.language].errors,
  };
  const isEmailError = error === 'email' || error === 'taken';
  const body = (
    <>
      <h1>{t.title}</h1>
      <p>{isFirst ? t.first : t.into(team.name, role)}</p>
      {workspaces && <p>{t.sees(workspaces)}</p>}
      <ProviderButton viewer={viewer} config={config} to={welcomePath(token)} />
      {config.oidcOnly || (
        <>
          {isFirst || <p class="soft">{t.text}</p>}
          <ErrorMessage error={error && messages[error]} />
          <form method="post" class="card">
            <EmailField viewer={viewer} value={fixed ?? email} isInvalid={isEmailError} readonly={fixed !== null} />
            <NewPasswordField viewer={viewer} isFirst isWrong={error !== undefined && !isEmailError} />
            <TimeZoneField />
            <button>{t.submit}</button>
          </form>
        </>
      )}
      {isFirst || <LinkLine href={signInPath(welcomePath(token))} text={t.hasAccount} />}
    </>
  );
  return { title: t.title, section: null, status: error ? 400 : 200, body };
}

/** Adds the current user to the team of a link. Shows the role if the user is a member already. */
export function joinPage(
  viewer: Viewer,
  { team, role, workspaces }: Invitation,
  email: string,
  isNewcomer = false,
): Page {
  const t = WELCOME_TEXTS[viewer.language];
  const title = t.joinTitle(team.name);
  const body = viewer.memberships.some((membership) => membership.team.id === team.id) ? (
    <>
      <h1>{team.name}</h1>
      <p>{t.isMember(team.name)}</p>
      <LinkLine href="/dashboard" text={viewer.texts.failure.back} />
    </>
  ) : (
    <>
      <h1>{title}</h1>
      <p class="soft">{isNewcomer ? t.newText(email, role) : t.joinText(email, role)}</p>
      {workspaces && <p>{t.sees(workspaces)}</p>}
      <form method="post">
        <input type="hidden" name="join" value="yes" />
        <button>{t.join}</button>
      </form>
    </>
  );
  return { title, section: null, body };
}

/** Explains how to get a new link after one was used or expired. */
function invalidLinkPage(viewer: Viewer): Page {
  const t = WELCOME_TEXTS[viewer.language];
  const body = (
    <>
      <h1>{t.usedUp}</h1>
      <p>{t.usedUpInvited}</p>
      <p>{t.usedUpText}</p>
      <div class="stack">
        <pre>formstead user create</pre>
        <LinkLine href="/dashboard/sign-in" text={SIGN_IN_TEXTS[viewer.language].title} />
      </div>
    </>
  );
  return { title: t.usedUp, section: null, status: 404, body };
}
