import type { Context } from '../../../context/context.ts';
import { getRelyingParty } from '../../../domain/users/passkey.ts';
import { getPasskeyCookie, passkeyCookie } from '../../../http/session-cookie.ts';
import { CHALLENGE_TTL, getCredentialId, requestOptions, verifyPasskey } from '../../../services/users/passkeys.ts';
import { newToken } from '../../../services/users/sessions.ts';
import { action, type DashboardRoute, type PageContext, page } from '../../page.ts';
import { safeRedirect } from '../../ui/safe-redirect.ts';
import { getTimeZone } from '../../ui/time-zone-field.tsx';
import { PASSKEY_TEXTS } from '../passkeys/texts.ts';
import { signInPage } from './sign-in.tsx';
import type { SignInFlow } from './sign-in-flow.ts';
import { SIGN_IN_TEXTS } from './texts.ts';

/** Signs users in by passkey, and gives browsers the challenge for it. */
export function passkeySignInRoutes(context: Context, flow: SignInFlow): readonly DashboardRoute[] {
  const { store, config } = context;
  const { baseUrl } = config;

  /** Answers with the options of a sign-in, or of a confirmation by the current user. */
  const showOptions = async ({ request, currentUser }: PageContext): Promise<Response> => {
    const party = getRelyingParty(baseUrl, request);
    const headers = { 'Cache-Control': 'no-store' };
    if (!party) return Response.json({}, { status: 409, headers });
    if (currentUser?.session.isPending === false) {
      const to = { purpose: 'confirm', browser: currentUser.session.id } as const;
      const own = await store.passkeys.list(currentUser.user.id);
      return Response.json(requestOptions(context, party, to, own), { headers });
    }
    const secret = getPasskeyCookie(request, baseUrl) ?? newToken();
    const cookie = passkeyCookie(request, baseUrl, secret, CHALLENGE_TTL);
    const options = requestOptions(context, party, { purpose: 'sign in', browser: secret });
    return Response.json(options, { headers: { ...headers, 'Set-Cookie': cookie } });
  };

  const signIn = async (page: PageContext, form: URLSearchParams) => {
    const { request, viewer, note } = page;
    const t = PASSKEY_TEXTS[viewer.language];
    const to = safeRedirect(form.get('to') ?? '');
    const answer = form.get('passkey') ?? '';
    const fail = (error: string, status = 400, headers = {}) =>
      signInPage(page, { to, email: '', error }, { status, headers });
    const party = getRelyingParty(baseUrl, request);
    const browser = getPasskeyCookie(request, baseUrl);
    if (!party || browser === null || answer === '') return fail(t.refused);

    const found = await store.passkeys.find(getCredentialId(answer));
    const name = found?.user.email ?? getCredentialId(answer);
    const from = flow.triedFrom(page);
    const seconds = await flow.tries.begin(name, from);
    if (seconds > 0) {
      flow.noteRateLimited(page, name);
      return fail(SIGN_IN_TEXTS[viewer.language].wait(seconds), 429, { 'Retry-After': String(seconds) });
    }
    const asked = { party, to: { purpose: 'sign in', browser }, address: flow.shortAddressOf(page) } as const;
    const proof = found && (await verifyPasskey(context, asked, found, answer));
    if (proof === null || typeof proof === 'string') {
      flow.noteFailure(page, name);
      return fail(t[proof ?? 'unknown']);
    }
    const { user, isVerified } = proof;
    await flow.tries.takeBack(user.email, from);
    // With a second factor, the sign-in by a passkey without user verification is recorded once the code is right.
    const isPending = !isVerified && (await store.secondFactors.find(user.id)) !== null;
    note({ is_passkey: true }, isPending ? { action: null } : { user });
    return flow.signIn(page, user, to, getTimeZone(form), isVerified);
  };

  return [
    page('/dashboard/passkey', { access: 'open' }, showOptions),
    action('/dashboard/passkey', { access: 'open', audit: 'signed_in' }, signIn),
  ];
}
