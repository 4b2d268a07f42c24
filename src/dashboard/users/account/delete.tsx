/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../context/context.ts';
import { signedOutHeaders } from '../../../http/session-cookie.ts';
import { getTeamIds } from '../../../services/teams/teams.ts';
import { action, type DashboardRoute, type Page, type PageContext, page, redirectTo } from '../../page.ts';
import type { PasswordCheck } from '../../password-check.ts';
import { type ConfirmError, passwordQuestion } from '../../password-question.tsx';

const PATH = '/dashboard/account/delete';

/** The page on which users delete their own accounts. */
export function accountDeleteRoutes({ store, config }: Context, passwords: PasswordCheck): readonly DashboardRoute[] {
  const remove = async (page: PageContext<'self'>, form: URLSearchParams) => {
    const { user, request, viewer, note } = page;
    const error = await passwords.errorOf(page, form);
    if (error) return question(page, error);
    // The deleted user has no teams to look up.
    note({}, { teamIds: await getTeamIds(store, user.id) });
    const ownerless = await store.members.deleteUser(user.id);
    if (ownerless.length > 0) {
      const error = viewer.texts.account.delete.onlyOwner(ownerless.map(({ name }) => name));
      return question(page, { error, status: 409 });
    }
    return redirectTo('/dashboard/sign-in?done=deleted', signedOutHeaders(request, config.baseUrl));
  };

  return [
    page(PATH, { access: 'self' }, (page) => question(page)),
    action(PATH, { access: 'self', audit: 'account.deleted' }, remove),
  ];
}

function question(page: PageContext<'self'>, error: ConfirmError | null = null): Page {
  const { viewer, user } = page;
  const { title, text, button } = viewer.texts.account.delete;
  const intro = (
    <>
      <h1>{title}</h1>
      <p class="soft">{user.email}</p>
      <p>{text}</p>
    </>
  );
  return passwordQuestion(page, { path: PATH, title, intro, button }, error);
}
