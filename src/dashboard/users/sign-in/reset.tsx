/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../context/context.ts';
import type { PasswordError } from '../../../domain/users/password.ts';
import { ClientRateLimit } from '../../../lib/client-rate-limit.ts';
import { MINUTE } from '../../../lib/clock.ts';
import { parseAccountEmail } from '../../../services/users/accounts.ts';
import { hashToken } from '../../../services/users/sessions.ts';
import { action, type DashboardRoute, flash, type Page, type PageContext, page, redirectTo } from '../../page.ts';
import { ErrorMessage, LinkLine } from '../../ui/elements.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NewPasswordField } from '../../ui/password-field.tsx';
import type { Viewer } from '../../viewer.ts';
import { ACCOUNT_TEXTS } from '../account/texts.ts';
import { PASSKEY_TEXTS } from '../passkeys/texts.ts';
import { EmailField } from './components.tsx';
import { OIDC_TEXTS } from './oidc/texts.ts';
import { resetMailer } from './reset-mailer.ts';
import { requirePasswords, type SignInFlow } from './sign-in-flow.ts';
import { PASSWORD_TEXTS, RESET_TEXTS, SIGN_IN_TEXTS, WELCOME_TEXTS } from './texts.ts';

const PATH = '/dashboard/reset/:token';

/** Resets a forgotten password with a link that was mailed, or printed by `formstead user reset`. */
export function resetRoutes(context: Context, flow: SignInFlow): readonly DashboardRoute[] {
  const { oidcOnly } = context.config;
  const findMailer = resetMailer(context);
  const clients = new ClientRateLimit(10, 10 * MINUTE);

  const show = ({ query, viewer }: PageContext) => {
    requirePasswords(context.config);
    if (!findMailer()) return noMailPage(viewer);
    const t = RESET_TEXTS[viewer.language];
    const done = flash(t.done, query);
    if (done === null) return requestPage(viewer, {}, {});
    const body = <EmptyState icon="mail" title={t.sentTitle} text={done} level={1} />;
    return { title: t.sentTitle, section: null, body };
  };

  const request = (page: PageContext, form: URLSearchParams) => {
    const { viewer } = page;
    requirePasswords(context.config);
    const mailLink = findMailer();
    if (!mailLink) return noMailPage(viewer);
    const { language } = viewer;
    const input = form.get('email') ?? '';
    const email = parseAccountEmail(input);
    if (email === null)
      return requestPage(viewer, { email: input, error: ACCOUNT_TEXTS[language].noEmail }, { status: 400 });
    const { allowed, resetSeconds } = clients.take(flow.triedFrom(page).client, context.monotonic());
    if (!allowed) {
      const headers = { 'Retry-After': String(resetSeconds) };
      const error = SIGN_IN_TEXTS[language].wait(resetSeconds);
      return requestPage(viewer, { email: input, error }, { status: 429, headers });
    }
    // Sent after the response: its content and its timing must not reveal whether the account exists.
    setTimeout(() => mailLink(email, language, flow.shortAddressOf(page)));
    return redirectTo('/dashboard/reset?done=sent');
  };

  const showLink = async ({ param, viewer }: PageContext) => {
    const user = await flow.accounts.userOfResetLink(param('token'));
    if (!user) return invalidLinkPage(viewer);
    return passwordPage(viewer, user.email, { isOnce: oidcOnly });
  };

  const setPassword = async (page: PageContext, form: URLSearchParams) => {
    const { param, viewer, note } = page;
    const token = param('token');
    const owner = await flow.accounts.userOfResetLink(token);
    if (!owner) return invalidLinkPage(viewer);
    if (oidcOnly) return signInOnce(page, token);
    flow.countNewPassword(page, token);
    const user = await flow.accounts.resetPassword(token, owner, form.get('new_password') ?? '');
    if (user === 'link') return invalidLinkPage(viewer);
    if (typeof user === 'string') return passwordPage(viewer, owner.email, { error: user });
    note({}, { user });
    return flow.signIn(page, user, '/dashboard/forms', null);
  };

  /** Signs in by the link alone, while there are no passwords. */
  const signInOnce = async (page: PageContext, token: string) => {
    const user = await context.store.users.signInByLink(hashToken(token));
    if (!user) return invalidLinkPage(page.viewer);
    const hasSecondFactor = (await context.store.secondFactors.find(user.id)) !== null;
    page.note({}, { action: hasSecondFactor ? null : 'signed_in', user });
    return flow.signIn(page, user, '/dashboard/forms', null, { method: 'link' });
  };

  return [
    page('/dashboard/reset', { access: 'open' }, show),
    action('/dashboard/reset', { access: 'open', audit: null }, request),
    page(PATH, { access: 'open' }, showLink),
    action(PATH, { access: 'open', audit: 'password.reset' }, setPassword),
  ];
}

type Props = Readonly<{ email?: string; error?: string }>;

/** Asks for the address that the link is mailed to. */
function requestPage(viewer: Viewer, { email = '', error }: Props, answer: Pick<Page, 'status' | 'headers'>): Page {
  const t = RESET_TEXTS[viewer.language];
  const body = (
    <>
      <h1>{t.title}</h1>
      <p class="soft">{t.text}</p>
      <p class="soft">{PASSKEY_TEXTS[viewer.language].noLink}</p>
      <ErrorMessage error={error} />
      <form method="post" action="/dashboard/reset" class="card">
        <EmailField viewer={viewer} value={email} />
        <div class="row">
          <button>{t.submit}</button>
          <a href="/dashboard/sign-in">{SIGN_IN_TEXTS[viewer.language].title}</a>
        </div>
      </form>
    </>
  );
  return { ...answer, title: t.title, section: null, body };
}

/** Says whom to ask on a server that can't mail links, and how they print one. */
function noMailPage(viewer: Viewer): Page {
  const t = RESET_TEXTS[viewer.language];
  const body = (
    <>
      <h1>{t.title}</h1>
      <p>{t.noMail}</p>
      <details class="card" open>
        <summary>{t.forAdministrators}</summary>
        <p class="soft">{t.toHaveMail}</p>
        <pre>formstead user reset --email …</pre>
      </details>
      <LinkLine href="/dashboard/sign-in" text={t.back} />
    </>
  );
  return { title: t.title, section: null, body };
}

type PasswordPage = Readonly<{ error?: PasswordError; isOnce?: boolean }>;

/** Asks for the new password of an account, or signs in once while passwords are off. */
function passwordPage(viewer: Viewer, email: string, { error, isOnce = false }: PasswordPage): Page {
  const t = RESET_TEXTS[viewer.language];
  const title = isOnce ? OIDC_TEXTS[viewer.language].once : t.setTitle;
  const body = (
    <>
      <h1>{title}</h1>
      {isOnce || <p class="soft">{t.setText}</p>}
      <ErrorMessage error={error && PASSWORD_TEXTS[viewer.language].errors[error]} />
      <form method="post" class="card">
        <div class="field">
          <label for="email">{ACCOUNT_TEXTS[viewer.language].email}</label>
          <input type="email" id="email" value={email} readonly autocomplete="username" />
        </div>
        {isOnce || <NewPasswordField viewer={viewer} isWrong={error !== undefined} />}
        <button>{isOnce ? SIGN_IN_TEXTS[viewer.language].submit : t.setSubmit}</button>
      </form>
    </>
  );
  return { title, section: null, status: error ? 400 : 200, body };
}

/** Leads to a new request after a link was used or expired. */
function invalidLinkPage(viewer: Viewer): Page {
  const title = WELCOME_TEXTS[viewer.language].usedUp;
  const t = RESET_TEXTS[viewer.language];
  const body = (
    <>
      <h1>{title}</h1>
      <p>{t.usedUpText}</p>
      <LinkLine href="/dashboard/reset" text={t.title} />
    </>
  );
  return { title, section: null, status: 404, body };
}
