import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { signedOutHeaders } from '../../http/session-cookie.ts';
import { html } from '../../lib/html.ts';
import { teamIdsOf } from '../../services/owners.ts';
import type { Entry } from './entry.ts';
import type { Page } from './layout.ts';
import { presentPasswordField } from './password-field.ts';
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

type Wrong = Readonly<{ error: string; field?: 'password' }> & Pick<Page, 'status' | 'headers'>;

function question({ reader, user }: OwnVisit, { error, field, ...answer }: Partial<Wrong> = {}): Page {
  const { account, common } = reader.texts;
  const words = account.delete;
  return {
    ...answer,
    title: words.title,
    section: 'account',
    body: html`<div class="head"><div><h1>${words.title}</h1><p class="soft">${user.email}</p></div></div>
<p>${words.text}</p>
${error && html`<p class="error" role="alert">${error}</p>`}
<form method="post" action="${PATH}" class="card">
<input type="email" value="${user.email}" autocomplete="username" readonly hidden>
${presentPasswordField(reader, account.presentPassword, field === 'password')}
<div class="row"><button class="danger">${words.button}</button><a class="button quiet" href="/dashboard/account">${common.cancel}</a></div>
</form>`,
  };
}
