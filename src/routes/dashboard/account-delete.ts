import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { signedOutHeaders } from '../../http/session-cookie.ts';
import { html } from '../../lib/html.ts';
import { teamIdsOf } from '../../services/teams.ts';
import type { Entry } from './entry.ts';
import type { Page } from './layout.ts';
import { passwordQuestion, type Wrong } from './password-question.ts';
import { type OwnVisit, redirectTo, UNREAD_BODY, type Visits } from './visit.ts';

const PATH = '/dashboard/account/delete';

/** Where people delete their own accounts. */
export function accountDeletePages({ store }: Context, visits: Visits, entry: Entry) {
  const remove = async (visit: OwnVisit, sent: URLSearchParams) => {
    const { user, request, reader, note } = visit;
    const wrong = await entry.passwordFault(visit, sent);
    if (wrong) return question(visit, wrong);
    // Afterwards they belong to none.
    note({}, { teamIds: await teamIdsOf(store, user.id) });
    const left = await store.deleteUser(user.id);
    if (left.length > 0) {
      const error = reader.texts.account.delete.onlyOwner(left.map(({ name }) => name));
      return question(visit, { error, status: 409 });
    }
    return redirectTo('/dashboard/sign-in?done=deleted', signedOutHeaders(request));
  };

  return new Elysia()
    .get(
      PATH,
      visits.ownPage((visit) => question(visit)),
    )
    .post(PATH, visits.ownAction(remove), UNREAD_BODY);
}

function question(visit: OwnVisit, wrong: Wrong | null = null): Page {
  const { reader, user } = visit;
  const { title, text, button } = reader.texts.account.delete;
  const intro = html`<div class="head"><div><h1>${title}</h1><p class="soft">${user.email}</p></div></div>
<p>${text}</p>`;
  return passwordQuestion(visit, { path: PATH, title, intro, button }, wrong);
}
