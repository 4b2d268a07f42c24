/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../../context/context.ts';
import { ClientWindow } from '../../../../lib/client-window.ts';
import { MINUTE } from '../../../../lib/clock.ts';
import { linkIdentity, type Refusal, resolvePerson } from '../../../../services/users/identities.ts';
import { type OidcProvider, ProviderError } from '../../../../services/users/oidc-provider.ts';
import { action, type DashboardRoute, type Page, type PageContext, page, redirectTo } from '../../../page.ts';
import { SubmitRow } from '../../../ui/elements.tsx';
import { getProviderName } from '../../../ui/provider.tsx';
import { safeRedirect } from '../../../ui/safe-redirect.ts';
import { getInvitation } from '../paths.ts';
import { signInPage } from '../sign-in.tsx';
import type { SignInFlow } from '../sign-in-flow.ts';
import { SIGN_IN_TEXTS } from '../texts.ts';
import { OIDC_TEXTS } from './texts.ts';

const CALLBACK = '/dashboard/oidc/callback';
const LINK = '/dashboard/oidc/link';
const ACCOUNT = '/dashboard/account';

/** Answers of the provider that a client may send in ten minutes and that are not right. */
const MAX_FAILURES = 30;

const STATUS_OF = { unavailable: 503, declined: 400, invalid: 400 } as const;

/** Signs users in by an OpenID Connect provider, and links accounts to it. */
export function oidcRoutes(context: Context, flow: SignInFlow, provider: OidcProvider): readonly DashboardRoute[] {
  const { config, store, monotonic, log } = context;
  const { cookie } = flow;
  const name = getProviderName(config) ?? '';
  const failures = new ClientWindow(MAX_FAILURES, 10 * MINUTE);

  /** Returns the address that the provider redirects to. Without `BASE_URL`, its list of addresses protects us. */
  const redirectUri = ({ request }: PageContext) => (config.baseUrl ?? new URL(request.url).origin) + CALLBACK;

  const fail = (
    page: PageContext,
    to: string,
    error: string,
    status: number,
    headers: Readonly<Record<string, string>> = { 'Set-Cookie': cookie.clear(page.request) },
  ): Page => signInPage(page.viewer, config, { to, email: '', error }, { status, headers });

  const failAt = (page: PageContext, to: string, error: unknown): Page => {
    if (!(error instanceof ProviderError)) throw error;
    const { reason, message } = error;
    log.warn('a sign-in by the provider failed', { reason, error: message });
    return fail(page, to, OIDC_TEXTS[page.viewer.language].errors[reason](name), STATUS_OF[reason]);
  };

  const start = async (page: PageContext) => {
    const to = safeRedirect(page.query.get('to') ?? '');
    try {
      const { url, request } = await provider.begin(redirectUri(page));
      return redirectTo(url, { 'Set-Cookie': cookie.set(page.request, { kind: 'begun', request, to }) });
    } catch (error) {
      return failAt(page, to, error);
    }
  };

  const finish = async (page: PageContext) => {
    const { request, viewer } = page;
    const client = flow.triedFrom(page).client;
    const { allowed, resetSeconds } = failures.take(client, monotonic());
    const begun = cookie.begun(request);
    const to = begun?.to ?? safeRedirect('');
    if (!allowed) {
      flow.noteRateLimited(page, '');
      return fail(page, to, SIGN_IN_TEXTS[viewer.language].wait(resetSeconds), 429, {
        'Retry-After': String(resetSeconds),
      });
    }
    try {
      if (!begun) throw new ProviderError('invalid', 'not begun in this browser, or more than 15 minutes ago');
      const callback = new URL(redirectUri(page) + new URL(request.url).search);
      const person = await provider.finish(callback, begun.request);
      failures.refund(client);
      return await signInPerson(page, person, to);
    } catch (error) {
      const reason = error instanceof ProviderError ? error.reason : null;
      if (reason === 'invalid') flow.noteFailure(page, '');
      if (reason === 'unavailable') failures.refund(client);
      return failAt(page, to, error);
    }
  };

  const signInPerson = async (page: PageContext, person: Awaited<ReturnType<OidcProvider['finish']>>, to: string) => {
    const { request, viewer, currentUser, note } = page;
    const t = OIDC_TEXTS[viewer.language];
    const current = currentUser?.session.isPending === false ? currentUser.user : null;
    const { oidcAllowedDomains: domains, oidcJoin: join } = config;
    const invitation = getInvitation(to);
    const resolved = await resolvePerson(context, person, { domains, join, invitation, current });
    const refuse = (reason: Refusal) => {
      flow.noteFailure(page, person.email ?? '');
      return fail(page, to, t.errors[reason](name), 403);
    };
    if (resolved.kind === 'refused') return refuse(resolved.reason);
    const { issuer, subject, email, isMultiFactor } = person;
    if (resolved.kind === 'link') {
      const userId = resolved.user?.id ?? null;
      const offer = { kind: 'offer', identity: { issuer, subject }, email, userId } as const;
      const headers = { 'Set-Cookie': cookie.set(request, offer) };
      if (userId !== null) return redirectTo(LINK, headers);
      const text = config.oidcOnly ? t.existsWithoutPassword : t.exists;
      return fail(page, to, text(email ?? '', name), 409, headers);
    }
    const { user, change } = resolved;
    const isPending = !isMultiFactor && (await store.secondFactors.find(user.id)) !== null;
    const actions = { created: 'account.created', linked: 'identity.linked' } as const;
    if (change) note({}, { action: actions[change], user });
    else note({ method: 'oidc' }, isPending ? { action: null } : { user });
    const path = change === 'created' && invitation !== null ? safeRedirect('') : to;
    const answer = await flow.signIn(page, user, path, null, { method: 'oidc', isMultiFactor });
    answer.headers.append('Set-Cookie', cookie.clear(request));
    return answer;
  };

  const askLink = ({ request, viewer, user }: PageContext<'self'>) => {
    const offer = cookie.offer(request);
    if (offer?.userId !== user.id) return redirectTo(ACCOUNT);
    const { link: t } = OIDC_TEXTS[viewer.language];
    const body = (
      <>
        <h1>{t.title(name)}</h1>
        <p>{t.text(user.email, name)}</p>
        {offer.email !== null && <p>{t.otherAddress(offer.email)}</p>}
        <form method="post" action={LINK}>
          <SubmitRow viewer={viewer} text={t.button} cancel={ACCOUNT} />
        </form>
      </>
    );
    return { title: t.title(name), section: 'account', body } as const;
  };

  const link = async ({ request, user, note }: PageContext<'self'>) => {
    const offer = cookie.offer(request);
    const isOwn = offer?.userId === user.id;
    if (isOwn) await linkIdentity(context, user, offer.identity);
    else note({}, { action: null });
    return redirectTo(`${ACCOUNT}${isOwn ? '?done=linked' : ''}`, { 'Set-Cookie': cookie.clear(request) });
  };

  return [
    page('/dashboard/oidc/start', { access: 'open' }, start),
    page(CALLBACK, { access: 'open', audit: 'signed_in' }, finish),
    page(LINK, { access: 'self' }, askLink),
    action(LINK, { access: 'self', audit: 'identity.linked', needsPassword: () => true }, link),
  ];
}
