import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import type { Session } from '../../domain/user.ts';
import { signedOutHeaders } from '../../http/session-cookie.ts';
import { type Html, html } from '../../lib/html.ts';
import { type OwnVisit, redirectTo, UNREAD_BODY, type Visits } from '../page.ts';
import type { Page } from '../ui/layout.ts';
import type { Reader } from '../viewer.ts';
import type { PasswordCheck, PasswordFault } from './password-check.ts';
import { passwordQuestion } from './password-question.ts';

const ACCOUNT = '/dashboard/account';
const PATH = `${ACCOUNT}/sessions`;
/** A program may sign in for every look at a page, and each would be listed for a month. */
export const MOST_SESSIONS = 100;

/** Where people end their sign-ins: this one at once, others after the password, lest whoever took one over ends theirs. */
export function accountSessionPages({ store }: Context, visits: Visits, passwords: PasswordCheck) {
  const find = async ({ param, user }: OwnVisit): Promise<Session> => {
    const session = (await store.listSessions(user.id, MOST_SESSIONS)).find(({ id }) => id === param('sessionId'));
    if (session) return session;
    throw new AppError('not_found', 'There is no such sign-in.');
  };

  const askForOne = async (visit: OwnVisit, wrong: PasswordFault | null = null): Promise<Page> => {
    const session = await find(visit);
    const title = visit.reader.texts.account.endOf(nameOf(visit.reader, session), session.address);
    return question(visit, `${PATH}/${session.id}/end`, title, wrong);
  };

  const askForAll = (visit: OwnVisit, wrong: PasswordFault | null = null): Page =>
    question(visit, `${PATH}/end`, visit.reader.texts.account.everywhere, wrong);

  const endOne = async (visit: OwnVisit, sent: URLSearchParams) => {
    const { id } = await find(visit);
    const isThis = id === visit.session.id;
    const wrong = isThis ? null : await passwords.faultOf(visit, sent);
    if (wrong) return askForOne(visit, wrong);
    await store.endSession(visit.user.id, id);
    if (isThis) return redirectTo('/dashboard/sign-in?done=out', signedOutHeaders(visit.request));
    return redirectTo(`${ACCOUNT}?done=ended`, await passwords.renew(visit));
  };

  const endAll = async (visit: OwnVisit, sent: URLSearchParams) => {
    const wrong = await passwords.faultOf(visit, sent);
    if (wrong) return askForAll(visit, wrong);
    await store.endSessions(visit.user.id);
    return redirectTo('/dashboard/sign-in?done=everywhere', signedOutHeaders(visit.request));
  };

  return new Elysia()
    .get(
      `${PATH}/end`,
      visits.ownPage((visit) => askForAll(visit)),
    )
    .post(`${PATH}/end`, visits.ownAction(endAll), UNREAD_BODY)
    .get(
      `${PATH}/:sessionId/end`,
      visits.ownPage((visit) => askForOne(visit)),
    )
    .post(`${PATH}/:sessionId/end`, visits.ownAction(endOne), UNREAD_BODY);
}

function question(visit: OwnVisit, path: string, title: string, wrong: PasswordFault | null): Page {
  const { account } = visit.reader.texts;
  const intro = html`<h1>${title}</h1><p>${account.endText}</p>`;
  return passwordQuestion(visit, { path, title, intro, button: account.end }, wrong);
}

/** Where somebody is signed in; `present` is the session that asks. */
export function sessionsCard(reader: Reader, all: readonly Session[], present: Session): Html {
  const { account } = reader.texts;
  return html`<section class="card stack" aria-labelledby="sessions"><h2 id="sessions">${account.sessions}</h2>
<ul class="list">${all.map((one) => sessionItem(reader, one, one.id === present.id))}</ul>
<p class="flush"><a class="button danger" href="${PATH}/end">${account.everywhere}</a></p>
</section>`;
}

function sessionItem(reader: Reader, session: Session, isThis: boolean): Html {
  const { account } = reader.texts;
  const { id, address, createdAt, lastUsedAt } = session;
  const name = nameOf(reader, session);
  const label = account.endOf(name, address);
  return html`<li><div class="row">
<div class="grow"><strong>${name}</strong> ${isThis && html`<span class="badge good">${account.thisSession}</span>`}
<div class="soft small">${address} · ${account.since} ${reader.time(createdAt)} · ${account.lastUsed} ${reader.time(lastUsedAt)}</div></div>
${
  isThis
    ? html`<form method="post" action="${PATH}/${id}/end"><button class="quiet" aria-label="${label}">${account.end}</button></form>`
    : html`<a class="button quiet" href="${PATH}/${id}/end" aria-label="${label}">${account.end}</a>`
}
</div></li>`;
}

function nameOf({ texts: { account } }: Reader, { browser }: Session): string {
  const [name = '', system] = browser.split(', ');
  return (system === undefined ? name : account.browserOn(name, system)) || account.unknownBrowser;
}
