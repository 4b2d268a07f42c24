import type { Context } from '../../context.ts';
import { signedOutHeaders } from '../../http/session-cookie.ts';
import { html } from '../../lib/html.ts';
import { teamIdsOf } from '../../services/owners.ts';
import { action, type PageContext, page, redirectTo } from '../page.ts';
import type { Page } from '../ui/layout.tsx';
import type { PasswordCheck } from './password-check.ts';
import { passwordQuestion, type Wrong } from './password-question.ts';

const PATH = '/dashboard/account/delete';

/** Where people delete their own accounts. */
export function accountDeleteRoutes({ store }: Context, passwords: PasswordCheck) {
  const remove = async (page: PageContext<'self'>, sent: URLSearchParams) => {
    const { user, request, viewer, note } = page;
    const wrong = await passwords.faultOf(page, sent);
    if (wrong) return question(page, wrong);
    // Afterwards they belong to none.
    note({}, { teamIds: await teamIdsOf(store, user.id) });
    const left = await store.deleteUser(user.id);
    if (left.length > 0) {
      const error = viewer.texts.account.delete.onlyOwner(left.map(({ name }) => name));
      return question(page, { error, status: 409 });
    }
    return redirectTo('/dashboard/sign-in?done=deleted', signedOutHeaders(request));
  };

  return [
    page(PATH, { access: 'self' }, (page) => question(page)),
    action(PATH, { access: 'self', audit: 'account.deleted' }, remove),
  ];
}

function question(page: PageContext<'self'>, wrong: Wrong | null = null): Page {
  const { viewer, user } = page;
  const { title, text, button } = viewer.texts.account.delete;
  const intro = html`<div class="head"><div><h1>${title}</h1><p class="soft">${user.email}</p></div></div>
<p>${text}</p>`;
  return passwordQuestion(page, { path: PATH, title, intro, button }, wrong);
}
