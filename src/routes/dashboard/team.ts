import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { ROLES, type Role } from '../../domain/rights.ts';
import type { Invitation, Member } from '../../domain/user.ts';
import { HOUR } from '../../lib/clock.ts';
import { type Html, html } from '../../lib/html.ts';
import { SlidingWindow } from '../../lib/sliding-window.ts';
import { createInvitation, parseAccountEmail } from '../../services/accounts.ts';
import { flash } from './flash';
import type { Page } from './layout.ts';
import { sendLink } from './link-mail.ts';
import type { Reader } from './reader.ts';
import { redirectTo, type SignedInVisit, UNREAD_BODY, type Visits } from './visit.ts';

const PATH = '/dashboard/team';
/** Of one person: more would make the instance a way to send mails to strangers. */
const MAILED_AN_HOUR = 30;

/** Who belongs to a team, who is invited to it, and which of one's teams is shown. */
export function teamPages({ store, clock, monotonic, log, mail, config }: Context, visits: Visits) {
  const mailed = new SlidingWindow(MAILED_AN_HOUR, HOUR);
  // A link that took its host from the request would lead to whatever host an attacker's request names.
  const mailsLinks = mail !== null && config.baseUrl !== null;

  const teamPage = async (visit: SignedInVisit, extra: Extra = {}): Promise<Page> => {
    const { reader, team, user, query } = visit;
    const members = await store.listMembers(team.id);
    const invitations = reader.may(`POST ${PATH}/invitations`) ? await store.listInvitations(team.id) : [];
    const { texts } = reader;
    return {
      title: texts.sections.team,
      section: 'team',
      status: extra.status ?? 200,
      done: flash(texts.team.done, query),
      body: teamView(reader, { userId: user.id, teamName: team.name, members, invitations, mailsLinks, ...extra }),
    };
  };

  /** Does something that leaves the team an owner, or says on the page of the team why it cannot be done. */
  const keepingAnOwner = async (visit: SignedInVisit, act: () => Promise<Response>): Promise<Page | Response> => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      return teamPage(visit, { error: visit.reader.texts.team.lastOwner, status: error.status });
    }
  };

  const memberOf = async ({ team, param }: SignedInVisit): Promise<Member> => {
    const member = (await store.listMembers(team.id)).find(({ userId }) => userId === param('userId'));
    return member ?? noSuchMember();
  };

  const changeRole = async (visit: SignedInVisit, sent: URLSearchParams) => {
    await memberOf(visit);
    const role = roleIn(sent);
    if (!role) throw new AppError('invalid_input', 'There is no such role.');
    return keepingAnOwner(visit, async () => {
      if (!(await store.changeRole(visit.team.id, visit.param('userId'), role))) noSuchMember();
      visit.note({ role });
      return redirectTo(`${PATH}?done=role`);
    });
  };

  const remove = (visit: SignedInVisit) =>
    keepingAnOwner(visit, async () => {
      if (!(await store.removeMember(visit.team.id, visit.param('userId')))) noSuchMember();
      return redirectTo(`${PATH}?done=removed`);
    });

  const leave = (visit: SignedInVisit) =>
    keepingAnOwner(visit, async () => {
      await store.removeMember(visit.team.id, visit.user.id);
      visit.note({}, { teamId: visit.team.id });
      return redirectTo(`${PATH}?done=left`);
    });

  const invite = async (visit: SignedInVisit, sent: URLSearchParams): Promise<Page> => {
    const { reader, team, user, request } = visit;
    const { account, team: words, roles } = reader.texts;
    const role = roleIn(sent) ?? 'viewer';
    const typed = sent.get('email') ?? '';
    const email = parseAccountEmail(typed);
    if (email === null && typed.trim() !== '') {
      return teamPage(visit, { typed: { role, email: typed }, inviteError: account.noEmail, status: 400 });
    }
    if (mail && mailsLinks && email !== null && !mailed.take(user.id, monotonic()).allowed) {
      return teamPage(visit, { typed: { role, email: typed }, inviteError: words.tooMany, status: 429 });
    }
    const { token } = await createInvitation({ store, clock }, { teamId: team.id, role, email });
    visit.note({ role });
    const url = `${config.baseUrl ?? new URL(request.url).origin}/dashboard/welcome/${token}`;
    const made = { url, role, email, isMailed: false };
    if (!mail || !mailsLinks || email === null) return teamPage(visit, { made });
    const { outcome } = await sendLink(mail, clock, {
      to: email,
      url,
      subject: words.mail.subject(team.name),
      before: words.mail.before(team.name, roles[role], user.email),
      after: words.mail.after,
    });
    if (outcome !== 'sent') log.error('an invitation was not mailed', { outcome });
    return teamPage(visit, { made: { ...made, isMailed: outcome === 'sent' } });
  };

  const revoke = async ({ team, param }: SignedInVisit) => {
    if (await store.revokeInvitation(team.id, param('invitationId'))) return redirectTo(`${PATH}?done=revoked`);
    throw new AppError('not_found', 'There is no such invitation to this team.');
  };

  const switchTeam = async ({ session }: SignedInVisit, sent: URLSearchParams) => {
    if (await store.chooseTeam(session.id, sent.get('team') ?? '')) return redirectTo('/dashboard/forms');
    throw new AppError('not_found', 'You belong to no such team.');
  };

  return new Elysia()
    .get(
      PATH,
      visits.page((visit) => teamPage(visit)),
    )
    .post(`${PATH}/members/:userId`, visits.action(changeRole), UNREAD_BODY)
    .get(
      `${PATH}/members/:userId/remove`,
      visits.page(async (visit) => removeQuestion(visit.reader, await memberOf(visit))),
    )
    .post(`${PATH}/members/:userId/remove`, visits.action(remove), UNREAD_BODY)
    .get(
      `${PATH}/leave`,
      visits.page(({ reader, team }) => leaveQuestion(reader, team.name)),
    )
    .post(`${PATH}/leave`, visits.action(leave), UNREAD_BODY)
    .post(`${PATH}/invitations`, visits.action(invite), UNREAD_BODY)
    .post(`${PATH}/invitations/:invitationId/revoke`, visits.action(revoke), UNREAD_BODY)
    .post(`${PATH}/switch`, visits.action(switchTeam), UNREAD_BODY);
}

function noSuchMember(): never {
  throw new AppError('not_found', 'There is no such member of this team.');
}

function roleIn(sent: URLSearchParams): Role | undefined {
  return ROLES.find((known) => known === sent.get('role'));
}

type Extra = Readonly<{
  status?: number;
  /** What was wrong with a change of the members. */
  error?: string;
  /** An invitation that was just made: its link is not kept. */
  made?: Readonly<{ url: string; role: Role; email: string | null; isMailed: boolean }>;
  inviteError?: string;
  typed?: Readonly<{ role: Role; email: string }>;
}>;

type Shown = Extra &
  Readonly<{
    userId: string;
    teamName: string;
    members: readonly Member[];
    invitations: readonly Invitation[];
    mailsLinks: boolean;
  }>;

function teamView(reader: Reader, shown: Shown): Html {
  const { texts, may } = reader;
  const { team: words, roles, sections } = texts;
  const { teamName, error, made, invitations } = shown;
  return html`<h1>${sections.team}</h1>
<p class="soft">${words.intro(teamName)}</p>
${waysView(reader)}
${error && html`<p class="error" role="alert">${error}</p>`}
${made && madeView(reader, teamName, made, shown.mailsLinks)}
<section class="card stack" aria-labelledby="members"><h2 id="members">${words.members}</h2>
${memberList(reader, shown)}
<ul class="small soft">${ROLES.map((role) => html`<li>${roles[role]}: ${words.about[role]}</li>`)}</ul>
<p><a class="button quiet" href="${PATH}/leave">${words.leave}</a></p></section>
${invitations.length > 0 && invitationList(reader, invitations)}
${may(`POST ${PATH}/invitations`) && inviteForm(reader, shown)}`;
}

/** The way to what is done for the team as a whole. */
function waysView({ texts, may }: Reader): Html | null {
  const ways = [
    ['/dashboard/audit', texts.audit.title],
    ['/dashboard/erase', texts.erase.title],
    [`${PATH}/second-factor`, texts.secondFactor.team.link],
  ] as const;
  const open = ways.filter(([path]) => may(`GET ${path}`));
  return open.length === 0
    ? null
    : html`<p class="row">${open.map(([path, name]) => html`<a href="${path}">${name}</a>`)}</p>`;
}

function memberList(reader: Reader, { userId, members }: Shown): Html {
  const { texts, may } = reader;
  const { team: words, roles } = texts;
  const rows = members.map((member) => {
    const { email, role, since } = member;
    const isSelf = member.userId === userId;
    return html`<li class="row"><div class="grow"><strong><bdi>${email}</bdi></strong>${isSelf && html` <span class="badge good">${words.you}</span>`}
<div class="soft small">${words.since} ${reader.day(since)}</div></div>
${may(`POST ${PATH}/members/:userId`) ? roleForm(reader, member) : html`<span>${roles[role]}</span>`}
${!isSelf && may(`GET ${PATH}/members/:userId/remove`) && html`<a class="button quiet" href="${PATH}/members/${member.userId}/remove" aria-label="${words.removeTitle(email)}">${words.remove}</a>`}</li>`;
  });
  return html`<ul class="list">${rows}</ul>`;
}

function roleForm({ texts }: Reader, { userId, email, role }: Member): Html {
  const { team: words, common } = texts;
  return html`<form method="post" action="${PATH}/members/${userId}" class="row"><select name="role" aria-label="${words.roleOf(email)}" autocomplete="off">${roleOptions(texts, role)}</select><button class="quiet" aria-label="${words.saveRoleOf(email)}">${common.save}</button></form>`;
}

function roleOptions({ roles }: Reader['texts'], chosen: Role): readonly Html[] {
  return ROLES.map(
    (role) => html`<option value="${role}"${role === chosen && html` selected`}>${roles[role]}</option>`,
  );
}

function madeView(
  { texts }: Reader,
  teamName: string,
  { url, role, email, isMailed }: NonNullable<Extra['made']>,
  mailsLinks: boolean,
): Html {
  const { team: words, roles } = texts;
  return html`<section class="card" aria-labelledby="made"><h2 id="made">${words.made}</h2>
<p>${words.madeText(teamName, roles[role])}</p>
${email !== null && mailsLinks && html`<p class="${isMailed ? 'done' : 'error'}" role="status">${isMailed ? words.mailed(email) : words.notMailed(email)}</p>`}
<p>${words.copyNow}</p>
<div class="row"><input id="link" class="mono" aria-label="${words.link}" readonly value="${url}"><button type="button" class="quiet" data-copy="link" data-copied="${texts.keys.copied}" hidden>${texts.keys.copy}</button></div>
</section>`;
}

function invitationList(reader: Reader, invitations: readonly Invitation[]): Html {
  const { team: words, roles } = reader.texts;
  const rows = invitations.map(({ id, email, role, expiresAt }) => {
    const whom = email ?? words.anyone;
    return html`<li class="row"><div class="grow"><strong><bdi>${whom}</bdi></strong>
<div class="soft small">${roles[role]} · ${words.until} ${reader.time(expiresAt)}</div></div>
<form method="post" action="${PATH}/invitations/${id}/revoke"><button class="quiet" aria-label="${words.revokeOf(whom)}">${words.revoke}</button></form></li>`;
  });
  return html`<section class="card" aria-labelledby="invitations"><h2 id="invitations">${words.invitations}</h2>
<ul class="list">${rows}</ul></section>`;
}

function inviteForm({ texts }: Reader, { mailsLinks, inviteError, typed }: Shown): Html {
  const { team: words } = texts;
  return html`<section class="card" aria-labelledby="invite"><h2 id="invite">${words.invite}</h2>
<p class="soft">${words.inviteText}</p>
${inviteError && html`<p class="error" role="alert">${inviteError}</p>`}
<form method="post" action="${PATH}/invitations">
<div class="field"><label for="role">${words.role}</label><select id="role" name="role" autocomplete="off">${roleOptions(texts, typed?.role ?? 'viewer')}</select></div>
<div class="field"><label for="email">${words.email}</label><input type="email" id="email" name="email" value="${typed?.email ?? ''}" autocomplete="off" aria-describedby="email-hint"${inviteError && html` aria-invalid="true"`}><span class="hint" id="email-hint">${mailsLinks ? words.emailMailed : words.emailNotMailed}</span></div>
<button>${words.create}</button>
</form></section>`;
}

function removeQuestion({ texts }: Reader, { userId, email }: Member): Page {
  const { team: words, common } = texts;
  return {
    title: words.removeTitle(email),
    section: 'team',
    body: html`<h1>${words.removeTitle(email)}</h1><p>${words.removeText}</p>
<form method="post" action="${PATH}/members/${userId}/remove" class="row"><button class="danger">${words.remove}</button><a class="button quiet" href="${PATH}">${common.cancel}</a></form>`,
  };
}

function leaveQuestion({ texts }: Reader, teamName: string): Page {
  const { team: words, common } = texts;
  return {
    title: words.leaveTitle(teamName),
    section: 'team',
    body: html`<h1>${words.leaveTitle(teamName)}</h1><p>${words.leaveText}</p>
<form method="post" action="${PATH}/leave" class="row"><button class="danger">${words.leave}</button><a class="button quiet" href="${PATH}">${common.cancel}</a></form>`,
  };
}
