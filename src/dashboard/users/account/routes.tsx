/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../context/context.ts';
import { AppError } from '../../../domain/errors.ts';
import { THEMES } from '../../../domain/users/user.ts';
import { signedOutHeaders } from '../../../http/session-cookie.ts';
import { toSingleLine } from '../../../lib/one-line.ts';
import { getTeamIds } from '../../../services/teams/teams.ts';
import { action, type DashboardRoute, flash, type Page, type PageContext, page, redirectTo } from '../../page.ts';
import {
  type ConfirmError,
  type ErrorAnswer,
  getAnswer,
  type PasswordCheck,
  passwordQuestion,
} from '../../password-check.tsx';
import { getProviderName } from '../../ui/provider.tsx';
import { safeRedirect } from '../../ui/safe-redirect.ts';
import { CATALOG } from '../../ui/texts.ts';
import { getTimeZone } from '../../ui/time-zone-field.tsx';
import { OIDC_TEXTS } from '../sign-in/oidc/texts.ts';
import { PASSWORD_TEXTS } from '../sign-in/texts.ts';
import { AccountView, type ChangeError } from './account-view.tsx';
import { emailRoutes } from './email.tsx';
import { identityRoutes } from './identities.tsx';
import { passkeyRoutes } from './passkeys.tsx';
import { secondFactorRoutes } from './second-factor.tsx';
import { MAX_SESSIONS, sessionRoutes } from './sessions.tsx';
import { ACCOUNT_TEXTS } from './texts.ts';

/** The pages on which users change their own accounts. */
export function accountRoutes(context: Context, passwords: PasswordCheck): readonly DashboardRoute[] {
  return [
    ...preferenceRoutes(context, passwords),
    ...emailRoutes(context, passwords),
    ...sessionRoutes(context, passwords),
    ...accountDeleteRoutes(context, passwords),
    ...secondFactorRoutes,
    ...(context.config.oidcIssuer === null ? [] : identityRoutes(context)),
    ...(context.config.oidcOnly ? [] : passkeyRoutes),
  ];
}

const PATH = '/dashboard/account';
/** The limit of display names. */
const LONGEST_NAME = 100;

/** The account page, and changes of name, language, time zone, theme and password. */
function preferenceRoutes({ store, config }: Context, passwords: PasswordCheck): readonly DashboardRoute[] {
  const show = async (page: PageContext<'self'>, failed: (ChangeError & ErrorAnswer) | null = null): Promise<Page> => {
    const { viewer, query, user, session, hasSecondFactor } = page;
    const { language } = viewer;
    const account = ACCOUNT_TEXTS[language];
    const sessions = await store.sessions.list(user.id, MAX_SESSIONS);
    const linked = { identities: await store.identities.list(user.id), provider: getProviderName(config) };
    const passkeys = (await store.passkeys.list(user.id)).length;
    const own = { sessions, hasSecondFactor, passkeys, hasPasswords: !config.oidcOnly };
    const props = { viewer, user, session, ...own, ...linked };
    return {
      title: account.title,
      section: 'account',
      ...(failed ? getAnswer(failed) : { done: flash(account.done, query) ?? flash(OIDC_TEXTS[language].done, query) }),
      body: <AccountView {...props} failed={failed} />,
    };
  };

  const setPreferences = async ({ user, note }: PageContext<'self'>, form: URLSearchParams) => {
    const language = CATALOG.find(form.get('language'));
    const name = toSingleLine(form.get('name') ?? '', LONGEST_NAME) || null;
    await store.users.update(user.id, { name, language, timeZone: getTimeZone(form) ?? user.timeZone });
    note({ settings: 'name, language, timeZone' });
    return redirectTo(`${PATH}?done=saved`);
  };

  const setPassword = async (page: PageContext<'self'>, form: URLSearchParams) => {
    const { user, session, viewer } = page;
    if (config.oidcOnly) throw new AppError('conflict', 'Passwords are turned off.', { reason: ['passwords_off'] });
    const wrong = await passwords.errorOf(page, form);
    if (wrong) return show(page, wrong);
    const error = await passwords.accounts.changePassword(user, session, form.get('new_password') ?? '');
    if (error) return show(page, { field: 'new', error: PASSWORD_TEXTS[viewer.language].errors[error] });
    return redirectTo(`${PATH}?done=password`, await passwords.renew(page));
  };

  const setTheme = async ({ user }: PageContext<'self'>, form: URLSearchParams) => {
    await store.users.update(user.id, { theme: THEMES.find((theme) => theme === form.get('theme')) ?? null });
    return redirectTo(safeRedirect(form.get('to') ?? ''));
  };

  return [
    page(PATH, { access: 'self' }, (page) => show(page)),
    action(`${PATH}/preferences`, { access: 'self', audit: 'account.changed' }, setPreferences),
    action(`${PATH}/theme`, { access: 'self', audit: null }, setTheme),
    action(`${PATH}/password`, { access: 'self', audit: 'password.changed' }, setPassword),
  ];
}

const DELETE_PATH = '/dashboard/account/delete';

/** The page on which users delete their own accounts. */
function accountDeleteRoutes({ store, config }: Context, passwords: PasswordCheck): readonly DashboardRoute[] {
  const remove = async (page: PageContext<'self'>, form: URLSearchParams) => {
    const { user, request, viewer, note } = page;
    const error = await passwords.errorOf(page, form);
    if (error) return question(page, error);
    // The deleted user has no teams to look up.
    note({}, { teamIds: await getTeamIds(store, user.id) });
    const ownerless = await store.members.deleteUser(user.id);
    if (ownerless.length > 0) {
      const error = ACCOUNT_TEXTS[viewer.language].delete.onlyOwner(ownerless.map(({ name }) => name));
      return question(page, { error, status: 409 });
    }
    return redirectTo('/dashboard/sign-in?done=deleted', signedOutHeaders(request, config.baseUrl));
  };

  return [
    page(DELETE_PATH, { access: 'self' }, (page) => question(page)),
    action(DELETE_PATH, { access: 'self', audit: 'account.deleted' }, remove),
  ];
}

function question(page: PageContext<'self'>, error: ConfirmError | null = null): Page {
  const { title, text, button } = ACCOUNT_TEXTS[page.viewer.language].delete;
  return passwordQuestion(page, { path: DELETE_PATH, title, text, button }, error);
}
