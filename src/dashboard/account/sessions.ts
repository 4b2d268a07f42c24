import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import type { Session } from '../../domain/user.ts';
import { signedOutHeaders } from '../../http/session-cookie.ts';
import { type Html, html } from '../../lib/html.ts';
import { action, type PageContext, page, redirectTo } from '../page.ts';
import type { Page } from '../ui/layout.tsx';
import type { Viewer } from '../viewer.ts';
import type { PasswordCheck, PasswordFault } from './password-check.ts';
import { passwordQuestion } from './password-question.ts';

const ACCOUNT = '/dashboard/account';
const PATH = `${ACCOUNT}/sessions`;
/** A program may sign in for every look at a page, and each would be listed for a month. */
export const MOST_SESSIONS = 100;

/** Where people end their sign-ins: this one at once, others after the password, lest whoever took one over ends theirs. */
export function sessionRoutes({ store }: Context, passwords: PasswordCheck) {
  const find = async ({ param, user }: PageContext<'self'>): Promise<Session> => {
    const session = (await store.listSessions(user.id, MOST_SESSIONS)).find(({ id }) => id === param('sessionId'));
    if (session) return session;
    throw new AppError('not_found', 'There is no such sign-in.');
  };

  const askForOne = async (page: PageContext<'self'>, wrong: PasswordFault | null = null): Promise<Page> => {
    const session = await find(page);
    const title = page.viewer.texts.account.endOf(nameOf(page.viewer, session), session.address);
    return question(page, `${PATH}/${session.id}/end`, title, wrong);
  };

  const askForAll = (page: PageContext<'self'>, wrong: PasswordFault | null = null): Page =>
    question(page, `${PATH}/end`, page.viewer.texts.account.everywhere, wrong);

  const endOne = async (page: PageContext<'self'>, sent: URLSearchParams) => {
    const { id } = await find(page);
    const isThis = id === page.session.id;
    const wrong = isThis ? null : await passwords.faultOf(page, sent);
    if (wrong) return askForOne(page, wrong);
    await store.endSession(page.user.id, id);
    if (isThis) return redirectTo('/dashboard/sign-in?done=out', signedOutHeaders(page.request));
    return redirectTo(`${ACCOUNT}?done=ended`, await passwords.renew(page));
  };

  const endAll = async (page: PageContext<'self'>, sent: URLSearchParams) => {
    const wrong = await passwords.faultOf(page, sent);
    if (wrong) return askForAll(page, wrong);
    await store.endSessions(page.user.id);
    return redirectTo('/dashboard/sign-in?done=everywhere', signedOutHeaders(page.request));
  };

  return [
    page(`${PATH}/end`, { access: 'self' }, (page) => askForAll(page)),
    action(`${PATH}/end`, { access: 'self', audit: 'sessions.ended' }, endAll),
    page(`${PATH}/:sessionId/end`, { access: 'self' }, (page) => askForOne(page)),
    action(`${PATH}/:sessionId/end`, { access: 'self', audit: 'sessions.ended' }, endOne),
  ];
}

function question(page: PageContext<'self'>, path: string, title: string, wrong: PasswordFault | null): Page {
  const { account } = page.viewer.texts;
  const intro = html`<h1>${title}</h1><p>${account.endText}</p>`;
  return passwordQuestion(page, { path, title, intro, button: account.end }, wrong);
}

/** Where somebody is signed in; `present` is the session that asks. */
export function sessionsCard(viewer: Viewer, all: readonly Session[], present: Session): Html {
  const { account } = viewer.texts;
  return html`<section class="card stack" aria-labelledby="sessions"><h2 id="sessions">${account.sessions}</h2>
<ul class="list">${all.map((one) => sessionItem(viewer, one, one.id === present.id))}</ul>
<p class="flush"><a class="button danger" href="${PATH}/end">${account.everywhere}</a></p>
</section>`;
}

function sessionItem(viewer: Viewer, session: Session, isThis: boolean): Html {
  const { account } = viewer.texts;
  const { id, address, createdAt, lastUsedAt } = session;
  const name = nameOf(viewer, session);
  const label = account.endOf(name, address);
  return html`<li><div class="row">
<div class="grow"><strong>${name}</strong> ${isThis && html`<span class="badge good">${account.thisSession}</span>`}
<div class="soft small">${address} · ${account.since} ${viewer.time(createdAt)} · ${account.lastUsed} ${viewer.time(lastUsedAt)}</div></div>
${
  isThis
    ? html`<form method="post" action="${PATH}/${id}/end"><button class="quiet" aria-label="${label}">${account.end}</button></form>`
    : html`<a class="button quiet" href="${PATH}/${id}/end" aria-label="${label}">${account.end}</a>`
}
</div></li>`;
}

function nameOf({ texts: { account } }: Viewer, { browser }: Session): string {
  const [name = '', system] = browser.split(', ');
  return (system === undefined ? name : account.browserOn(name, system)) || account.unknownBrowser;
}
