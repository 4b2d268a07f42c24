import type { Context } from '../../context.ts';
import type { Role } from '../../domain/roles.ts';
import type { Team } from '../../domain/team.ts';
import { html } from '../../lib/html.ts';
import type { AccountFault } from '../../services/accounts.ts';
import { hashToken } from '../../services/sessions.ts';
import { action, type PageContext, page, redirectTo } from '../page.ts';
import type { Page } from '../ui/layout.tsx';
import { newPasswordField } from '../ui/password-field.ts';
import { timeZoneField, timeZoneOf } from '../ui/time-zone-field.ts';
import type { Viewer } from '../viewer.ts';
import type { SignInFlow } from './sign-in-flow.ts';

const PATH = '/dashboard/welcome/:token';

/**
 * Coming into a team with a link that the start of the server or `formstead user create` has printed, or that an owner has
 * made: with a new account, or with the one that is signed in. An address that an invitation was mailed to is where the
 * form begins, and no condition: whoever holds a link can use it.
 */
export function welcomeRoutes({ store }: Context, flow: SignInFlow) {
  const invitationOf = async ({ param }: PageContext): Promise<Invited | null> => {
    const token = param('token');
    const link = await store.findLink(hashToken(token));
    const team = link?.teamId ? await store.findTeam(link.teamId) : null;
    return link && team && { token, team, role: link.role ?? 'owner', email: link.email ?? '' };
  };

  const show = async (page: PageContext) => {
    const { query, viewer, currentUser: found } = page;
    const invited = await invitationOf(page);
    if (!invited) return usedUpPage(viewer);
    if (found && !found.session.isPending) return joinPage(viewer, invited, found.user.email);
    return welcomePage(viewer, invited, query.get('email') ?? invited.email);
  };

  const join = async ({ param, viewer, note, currentUser: found }: PageContext) => {
    const token = param('token');
    if (!found || found.session.isPending) {
      note({}, { action: null });
      return redirectTo(signInPath(token));
    }
    const teamId = await store.joinByLink(hashToken(token), found.user.id);
    if (teamId === null) return usedUpPage(viewer);
    await store.chooseTeam(found.session.id, teamId);
    note({}, { action: 'member.joined', teamId });
    return redirectTo('/dashboard/team?done=joined');
  };

  const make = async (page: PageContext, sent: URLSearchParams) => {
    if (sent.get('join') === 'yes') return join(page);
    const { param, viewer } = page;
    const timeZone = timeZoneOf(sent);
    const email = sent.get('email') ?? '';
    const made = await flow.accounts.make(param('token'), {
      email,
      password: sent.get('new_password') ?? '',
      timeZone,
    });
    if (made === 'link') return usedUpPage(viewer);
    if (typeof made === 'string') {
      const invited = await invitationOf(page);
      return invited ? welcomePage(viewer, invited, email, made) : usedUpPage(viewer);
    }
    page.note({}, { user: made });
    return flow.signIn(page, made, '/dashboard/forms', timeZone);
  };

  return [page(PATH, { access: 'open' }, show), action(PATH, { access: 'open', audit: 'account.created' }, make)];
}

type Invited = Readonly<{ token: string; team: Team; role: Role; email: string }>;

function signInPath(token: string): string {
  return `/dashboard/sign-in?to=${encodeURIComponent(`/dashboard/welcome/${token}`)}`;
}

function welcomePage(
  viewer: Viewer,
  { token, team, role }: Invited,
  email: string,
  fault?: Exclude<AccountFault, 'link'>,
): Page {
  const { welcome, account, password, roles } = viewer.texts;
  const faults = { email: account.noEmail, taken: welcome.taken, ...password.fault };
  const isOfEmail = fault === 'email' || fault === 'taken';
  return {
    title: welcome.title,
    section: null,
    ...(fault && { status: 400 }),
    body: html`<h1>${welcome.title}</h1>
<p>${welcome.into(team.name, roles[role])}</p>
<p class="soft">${welcome.text}</p>
${fault && html`<p class="error" role="alert">${faults[fault]}</p>`}
<form method="post" class="card">
<div class="field"><label for="email">${account.email}</label>
<input type="email" id="email" name="email" value="${email}" required autocomplete="username"${isOfEmail && html` aria-invalid="true"`}></div>
${newPasswordField(viewer, fault !== undefined && !isOfEmail)}
${timeZoneField}
<button>${welcome.submit}</button>
</form>
<p><a href="${signInPath(token)}">${welcome.hasAccount}</a></p>`,
  };
}

function joinPage({ texts, memberships }: Viewer, { team, role }: Invited, email: string): Page {
  const { welcome, roles, failure } = texts;
  const present = memberships.find((one) => one.team.id === team.id);
  const title = welcome.joinTitle(team.name, roles[role]);
  return {
    title,
    section: null,
    body: present
      ? html`<h1>${team.name}</h1><p>${welcome.isMember(team.name, roles[present.role])}</p><p><a href="/dashboard">${failure.back}</a></p>`
      : html`<h1>${title}</h1><p class="soft">${welcome.joinText(email)}</p>
<form method="post"><input type="hidden" name="join" value="yes"><button>${welcome.join}</button></form>`,
  };
}

function usedUpPage({ texts: { welcome, signIn } }: Viewer): Page {
  return {
    title: welcome.usedUp,
    section: null,
    status: 404,
    body: html`<h1>${welcome.usedUp}</h1><p>${welcome.usedUpInvited}</p><p>${welcome.usedUpText}</p>
<div class="stack"><pre>formstead user create</pre>
<p><a href="/dashboard/sign-in">${signIn.title}</a></p></div>`,
  };
}
