import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import type { Role } from '../../domain/rights.ts';
import type { Team } from '../../domain/team.ts';
import { html } from '../../lib/html.ts';
import type { AccountFault } from '../../services/accounts.ts';
import { hashToken } from '../../services/sessions.ts';
import type { Arrival, Entry } from './entry.ts';
import type { Page } from './layout.ts';
import { newPasswordField } from './password-field.ts';
import type { Reader } from './reader.ts';
import { timeZoneField, timeZoneOf } from './time-zone-field.ts';
import { redirectTo, type Visit, type Visits } from './visit.ts';

const PATH = '/dashboard/welcome/:token';

/**
 * Coming into a team with a link that the start of the server or `formstead user create` has printed, or that an owner has
 * made: with a new account, or with the one that is signed in. An address that an invitation was mailed to is where the
 * form begins, and no condition: whoever holds a link can use it.
 */
export function welcomePages({ store }: Context, visits: Visits, entry: Entry) {
  const invitationOf = async ({ param }: Visit): Promise<Invited | null> => {
    const token = param('token');
    const link = await store.findLink(hashToken(token));
    const team = link?.teamId ? await store.findTeam(link.teamId) : null;
    return link && team && { token, team, role: link.role ?? 'owner', email: link.email ?? '' };
  };

  const show = async (visit: Visit) => {
    const { request, query, reader } = visit;
    const invited = await invitationOf(visit);
    if (!invited) return usedUpPage(reader);
    const found = await visits.userOf(request);
    if (found && !found.session.isPending) return joinPage(reader, invited, found.user.email);
    return welcomePage(reader, invited, query.get('email') ?? invited.email);
  };

  const join = async ({ request, param, reader, note }: Visit) => {
    const token = param('token');
    const found = await visits.userOf(request);
    if (!found || found.session.isPending) {
      note({}, { action: null });
      return redirectTo(signInPath(token));
    }
    const teamId = await store.joinByLink(hashToken(token), found.user.id);
    if (teamId === null) return usedUpPage(reader);
    await store.chooseTeam(found.session.id, teamId);
    note({}, { action: 'member.joined', teamId });
    return redirectTo('/dashboard/team?done=joined');
  };

  const make = async (arrival: Arrival, visit: Visit, sent: URLSearchParams) => {
    if (sent.get('join') === 'yes') return join(visit);
    const { param, reader } = visit;
    const timeZone = timeZoneOf(sent);
    const email = sent.get('email') ?? '';
    const made = await entry.accounts.create(param('token'), {
      email,
      password: sent.get('new_password') ?? '',
      timeZone,
    });
    if (made === 'link') return usedUpPage(reader);
    if (typeof made === 'string') {
      const invited = await invitationOf(visit);
      return invited ? welcomePage(reader, invited, email, made) : usedUpPage(reader);
    }
    visit.note({}, { user: made });
    return entry.letIn(arrival, made, '/dashboard/forms', timeZone);
  };

  return new Elysia()
    .get(PATH, visits.openPage(show))
    .post(PATH, (asked) => visits.openAction((visit, sent) => make(asked, visit, sent))(asked), { parse: 'none' });
}

type Invited = Readonly<{ token: string; team: Team; role: Role; email: string }>;

function signInPath(token: string): string {
  return `/dashboard/sign-in?to=${encodeURIComponent(`/dashboard/welcome/${token}`)}`;
}

function welcomePage(
  reader: Reader,
  { token, team, role }: Invited,
  email: string,
  fault?: Exclude<AccountFault, 'link'>,
): Page {
  const { welcome, account, password, roles } = reader.texts;
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
${newPasswordField(reader, fault !== undefined && !isOfEmail)}
${timeZoneField}
<button>${welcome.submit}</button>
</form>
<p><a href="${signInPath(token)}">${welcome.hasAccount}</a></p>`,
  };
}

function joinPage({ texts, memberships }: Reader, { team, role }: Invited, email: string): Page {
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

function usedUpPage({ texts: { welcome, signIn } }: Reader): Page {
  return {
    title: welcome.usedUp,
    section: null,
    status: 404,
    body: html`<h1>${welcome.usedUp}</h1><p>${welcome.usedUpInvited}</p><p>${welcome.usedUpText}</p>
<div class="stack"><pre>formstead user create</pre>
<p><a href="/dashboard/sign-in">${signIn.title}</a></p></div>`,
  };
}
