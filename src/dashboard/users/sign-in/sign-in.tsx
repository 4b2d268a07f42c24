/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../context/context.ts';
import { getRelyingParty } from '../../../domain/users/passkey.ts';
import { signedOutHeaders } from '../../../http/session-cookie.ts';
import { parseAccountEmail } from '../../../services/users/accounts.ts';
import type { OidcProvider } from '../../../services/users/oidc-provider.ts';
import { recoverByCode } from '../../../services/users/passkeys.ts';
import { action, type DashboardRoute, flash, type Page, type PageContext, page, redirectTo } from '../../page.ts';
import { ErrorMessage, LinkLine } from '../../ui/elements.tsx';
import { PasskeyButton } from '../../ui/passkey-button.tsx';
import { CurrentPasswordField } from '../../ui/password-field.tsx';
import { getProviderName, ProviderButton } from '../../ui/provider.tsx';
import { safeRedirect } from '../../ui/safe-redirect.ts';
import { getTimeZone, TimeZoneField } from '../../ui/time-zone-field.tsx';
import { EmailField } from './components.tsx';
import { OIDC_TEXTS } from './oidc/texts.ts';
import { BUSY_SECONDS, requirePasswords, type SignInFlow } from './sign-in-flow.ts';
import { PASSWORD_TEXTS, SIGN_IN_TEXTS } from './texts.ts';

/** Signs users in and out. */
export function signInPageRoutes(
  context: Context,
  flow: SignInFlow,
  provider: OidcProvider | null,
): readonly DashboardRoute[] {
  const { store, config } = context;
  const show = async (page: PageContext) => {
    const { query, viewer, currentUser } = page;
    const to = safeRedirect(query.get('to') ?? '');
    if (currentUser?.session.isPending === false) return redirectTo(to);
    const done = flash(SIGN_IN_TEXTS[viewer.language].done, query);
    const signOutUrl = query.has('provider') ? ((await provider?.signOutUrl()) ?? null) : null;
    const isFirst = !(await store.users.exist());
    return signInPage(page, { to, email: '', isFirst, signOutUrl }, { done });
  };

  const signIn = async (page: PageContext, form: URLSearchParams) => {
    const { viewer, note } = page;
    const t = SIGN_IN_TEXTS[viewer.language];
    const to = safeRedirect(form.get('to') ?? '');
    const input = form.get('email') ?? '';
    const email = parseAccountEmail(input);
    const password = form.get('password') ?? '';
    const fail = (error: string, status: number, headers = {}) =>
      signInPage(page, { to, email: input, error }, { status, headers });
    requirePasswords(config);
    if (email === null || password === '') return fail(t.wrong, 400);

    const from = flow.triedFrom(page);
    // Known browsers queue instead: they have few attempts, so a flood of others can't lock them out.
    const isRefused = () => flow.accounts.isBusy && !flow.tries.isKnown(email, from);
    const refuse = (seconds: number) => {
      flow.noteRateLimited(page, email);
      return fail(t.wait(seconds), 429, { 'Retry-After': String(seconds) });
    };
    if (isRefused()) return refuse(BUSY_SECONDS);
    const seconds = await flow.tries.begin(email, from);
    if (seconds > 0) return refuse(seconds);
    // Others may have filled the queue meanwhile.
    if (isRefused()) {
      await flow.tries.takeBack(email, from);
      return refuse(BUSY_SECONDS);
    }
    const user = await flow.accounts.authenticate(email, password);
    const recovered = user ? null : await recoverByCode(context, email, password);
    if (recovered) {
      await flow.tries.takeBack(email, from);
      note({ is_recovery_code: true }, { action: 'reset_link.made', user: recovered.user });
      return redirectTo(`/dashboard/reset/${recovered.link.token}`);
    }
    if (!user) {
      flow.noteFailure(page, email);
      return fail(t.wrong, 400);
    }
    await flow.tries.takeBack(email, from);
    // With a second factor, the sign-in is recorded once the code is right.
    note({}, (await store.secondFactors.find(user.id)) ? { action: null } : { user });
    return flow.signIn(page, user, to, getTimeZone(form));
  };

  /** Open, so that users without a team or with a pending session can sign out too. */
  const signOut = async ({ request, currentUser, note }: PageContext) => {
    if (currentUser) await store.sessions.end(currentUser.user.id, currentUser.session.id);
    else note({}, { action: null });
    const method = currentUser?.session.method;
    const atProvider = method === 'oidc' && (await provider?.signOutUrl()) ? '&provider=yes' : '';
    const atProxy = method === 'header' && config.authSignOutUrl;
    const to = atProxy || `/dashboard/sign-in?done=out${atProvider}`;
    return redirectTo(to, signedOutHeaders(request, config.baseUrl));
  };

  return [
    page('/dashboard/sign-in', { access: 'open' }, show),
    action('/dashboard/sign-in', { access: 'open', audit: 'signed_in' }, signIn),
    action('/dashboard/sign-out', { access: 'open', audit: 'signed_out' }, signOut),
  ];
}

type Props = Readonly<{
  /** The page to open after the sign-in. */
  to: string;
  email: string;
  /** True until the first account is created. */
  isFirst?: boolean;
  /** The page that ends the session at the provider, after a sign-out here. */
  signOutUrl?: string | null;
  error?: string;
}>;

/** Asks for address and password, or a passkey, or leads to the provider; with the error of an attempt. */
export function signInPage(
  { context: { config }, request, viewer }: PageContext,
  { to, email, isFirst, signOutUrl, error }: Props,
  answer: Pick<Page, 'done' | 'status' | 'headers'>,
): Page {
  const takesPasskey = !config.oidcOnly && getRelyingParty(config.baseUrl, request) !== null;
  const password = PASSWORD_TEXTS[viewer.language];
  const t = SIGN_IN_TEXTS[viewer.language];
  const atProvider = OIDC_TEXTS[viewer.language].signOut(getProviderName(config) ?? '');
  const body = (
    <>
      <h1>{t.title}</h1>
      {isFirst && <p class="note">{t.first}</p>}
      <ErrorMessage error={error} />
      {signOutUrl && <LinkLine href={signOutUrl} text={atProvider} />}
      <ProviderButton viewer={viewer} config={config} to={to} />
      {config.oidcOnly || (
        <form method="post" action="/dashboard/sign-in" class="card">
          <EmailField viewer={viewer} value={email} takesPasskey={takesPasskey} />
          <CurrentPasswordField viewer={viewer} label={password.label} isWrong={error !== undefined && email !== ''} />
          <input type="hidden" name="to" value={to} />
          <TimeZoneField />
          <div class="row">
            <button>{t.submit}</button>
            <a href="/dashboard/reset">{t.forgotten}</a>
          </div>
        </form>
      )}
      {takesPasskey && (
        <form method="post" action="/dashboard/passkey">
          <PasskeyButton viewer={viewer} purpose="signIn" />
          <input type="hidden" name="to" value={to} />
          <TimeZoneField />
        </form>
      )}
    </>
  );
  return { ...answer, title: t.title, section: null, body };
}
