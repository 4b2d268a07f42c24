import type { Context } from '../../../../context/context.ts';
import { isSameOrigin } from '../../../../http/same-origin.ts';
import { ClientRateLimit } from '../../../../lib/client-rate-limit.ts';
import { MINUTE } from '../../../../lib/clock.ts';
import { resolvePerson } from '../../../../services/users/identities.ts';
import { type OidcProvider, type ProvenPerson, ProviderError } from '../../../../services/users/oidc-provider.ts';
import type { SignInState } from '../../../../services/users/sign-in-state.ts';
import { type DashboardRoute, type Page, type PageContext, page, redirectTo } from '../../../page.ts';
import { getProviderName } from '../../../ui/provider.tsx';
import { safeRedirect } from '../../../ui/safe-redirect.ts';
import { getInvitation } from '../paths.ts';
import { signInPage } from '../sign-in.tsx';
import type { SignInFlow } from '../sign-in-flow.ts';
import { SIGN_IN_TEXTS } from '../texts.ts';
import { OIDC_TEXTS } from './texts.ts';

const CALLBACK = '/dashboard/oidc/callback';

/** Answers of the provider that a client may send in ten minutes and that are not right. */
const MAX_FAILURES = 30;

const STATUS_OF = { unavailable: 503, declined: 400, invalid: 400 } as const;

/** Signs users in by an OpenID Connect provider, and links accounts to it. */
export function oidcRoutes(context: Context, flow: SignInFlow, provider: OidcProvider): readonly DashboardRoute[] {
  const { config, store, monotonic, log } = context;
  const name = getProviderName(config) ?? '';
  const failures = new ClientRateLimit(MAX_FAILURES, 10 * MINUTE);

  /** Returns the address that the provider redirects to. Without `BASE_URL`, its list of addresses protects us. */
  const redirectUri = ({ request }: PageContext) => (config.baseUrl ?? new URL(request.url).origin) + CALLBACK;

  /** Returns the user of the session, unless the second factor is still due. */
  const getSession = ({ currentUser }: PageContext) => (currentUser?.session.isPending === false ? currentUser : null);

  const fail = (page: PageContext, to: string, error: string, status: number, offer: SignInState | null = null): Page =>
    signInPage(page, { to, email: '', error }, { status, headers: { 'Set-Cookie': flow.stateCookie(page, offer) } });

  const failAt = (page: PageContext, to: string, error: unknown): Page => {
    if (!(error instanceof ProviderError)) throw error;
    const { reason, message } = error;
    log.warn('a sign-in by the provider failed', { reason, error: message });
    return fail(page, to, OIDC_TEXTS[page.viewer.language].errors[reason](name), STATUS_OF[reason]);
  };

  const start = async (page: PageContext) => {
    const { request, query, context } = page;
    const to = safeRedirect(query.get('to') ?? '');
    const session = getSession(page);
    // Another site could lead here too, after it signed the browser in to somebody else's account at the provider.
    const links = query.has('link') && isSameOrigin(request, config.baseUrl);
    const linkTo = links && session && context.passwords.isRecent(session) ? session.user.id : null;
    try {
      const begun = await provider.begin(redirectUri(page));
      const state = { kind: 'begun', request: begun.request, to, linkTo } as const;
      return redirectTo(begun.url, { 'Set-Cookie': flow.stateCookie(page, state) });
    } catch (error) {
      return failAt(page, to, error);
    }
  };

  const finish = async (page: PageContext) => {
    const state = flow.stateOf(page);
    const begun = state?.kind === 'begun' ? state : null;
    const to = begun?.to ?? safeRedirect('');
    const client = flow.triedFrom(page).client;
    const { allowed, resetSeconds } = failures.take(client, monotonic());
    if (!allowed) {
      flow.noteRateLimited(page, '');
      return fail(page, to, SIGN_IN_TEXTS[page.viewer.language].wait(resetSeconds), 429);
    }
    try {
      if (!begun) throw new ProviderError('invalid', 'not begun in this browser, or more than 15 minutes ago');
      const callback = new URL(redirectUri(page) + new URL(page.request.url).search);
      const person = await provider.finish(callback, begun.request);
      failures.refund(client);
      return await signIn(page, person, to, begun.linkTo);
    } catch (error) {
      const reason = error instanceof ProviderError ? error.reason : null;
      if (reason === 'invalid') flow.noteFailure(page, '');
      if (reason === 'unavailable') failures.refund(client);
      return failAt(page, to, error);
    }
  };

  const signIn = async (page: PageContext, person: ProvenPerson, to: string, linkTo: string | null) => {
    const current = getSession(page)?.user ?? null;
    const { issuer, subject, email, isMultiFactor } = person;
    const { oidcAllowedDomains: domains, oidcJoin: join } = config;
    const invitation = getInvitation(to);
    const mayLink = current !== null && current.id === linkTo;
    const resolved = await resolvePerson(context, person, { domains, join, invitation, current, mayLink });
    if (typeof resolved === 'string') {
      const error = OIDC_TEXTS[page.viewer.language].errors[resolved](name);
      if (resolved === 'exists' && email !== null) {
        return fail(page, to, error, 409, { kind: 'offer', identity: { issuer, subject }, email });
      }
      flow.noteFailure(page, email ?? '');
      return fail(page, to, error, 403);
    }
    const { user, change } = resolved;
    const isPending = !isMultiFactor && (await store.secondFactors.find(user.id)) !== null;
    if (change) page.note({}, { action: change, user });
    else page.note({ method: 'oidc' }, isPending ? { action: null } : { user });
    const path = change === 'account.created' && invitation !== null ? safeRedirect('') : to;
    const answer = await flow.signIn(page, user, path, null, { method: 'oidc', isMultiFactor });
    answer.headers.append('Set-Cookie', flow.stateCookie(page, null));
    return answer;
  };

  return [
    page('/dashboard/oidc/start', { access: 'open' }, start),
    page(CALLBACK, { access: 'open', audit: 'signed_in' }, finish),
  ];
}
