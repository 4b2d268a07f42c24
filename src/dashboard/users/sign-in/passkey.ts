import type { Context } from '../../../context/context.ts';
import { getRelyingParty } from '../../../domain/users/passkey.ts';
import { getPasskeyMark, passkeyCookie } from '../../../http/session-cookie.ts';
import * as passkeys from '../../../services/users/passkeys.ts';
import { newToken } from '../../../services/users/sessions.ts';
import { action, type DashboardRoute, type PageContext, page } from '../../page.ts';
import { safeRedirect } from '../../ui/safe-redirect.ts';
import { getTimeZone } from '../../ui/time-zone-field.tsx';
import { PASSKEY_TEXTS } from '../passkeys/texts.ts';
import { signInPage } from './sign-in.tsx';
import { requirePasswords, type SignInFlow } from './sign-in-flow.ts';
import { SIGN_IN_TEXTS } from './texts.ts';

const PATH = '/dashboard/passkey';

/** Signs users in by passkey, and gives browsers the challenges for all uses of passkeys. */
export function passkeySignInRoutes(context: Context, flow: SignInFlow): readonly DashboardRoute[] {
  const { store, config } = context;
  const { baseUrl } = config;

  /** Answers with options: of a sign-in, and in a session of a confirmation or a new passkey. */
  const showOptions = async ({ request, query, currentUser }: PageContext): Promise<Response> => {
    const party = getRelyingParty(baseUrl, request);
    const headers = { 'Cache-Control': 'no-store' };
    if (!party) return Response.json({}, { status: 409, headers });
    if (currentUser?.session.isPending === false) {
      const { user, session } = currentUser;
      const question = { party, browser: session.id };
      const options = query.has('new')
        ? await passkeys.creationOptions(context, { ...question, purpose: 'add' }, user)
        : passkeys.requestOptions(context, { ...question, purpose: 'confirm' });
      return Response.json(options, { headers });
    }
    const browser = getPasskeyMark(request, baseUrl) ?? newToken();
    const cookie = passkeyCookie(request, baseUrl, browser, passkeys.CHALLENGE_TTL);
    const options = passkeys.requestOptions(context, { party, browser, purpose: 'sign in' });
    return Response.json(options, { headers: { ...headers, 'Set-Cookie': cookie } });
  };

  const signIn = async (page: PageContext, form: URLSearchParams) => {
    requirePasswords(config);
    const { request, viewer, note } = page;
    const t = PASSKEY_TEXTS[viewer.language];
    const to = safeRedirect(form.get('to') ?? '');
    const answer = form.get('passkey') ?? '';
    const fail = (error: string, status = 400, headers = {}) =>
      signInPage(page, { to, email: '', error }, { status, headers });
    const party = getRelyingParty(baseUrl, request);
    const browser = getPasskeyMark(request, baseUrl);
    if (!party || browser === null) return fail(t.refused);
    const found = await passkeys.findPasskey(context, answer);
    // Unknown passkeys are counted by the address of the client.
    const email = found?.user.email ?? '';
    const from = flow.triedFrom(page);
    const seconds = await flow.tries.begin(email || newToken(), from);
    if (seconds > 0) {
      flow.noteRateLimited(page, email);
      return fail(SIGN_IN_TEXTS[viewer.language].wait(seconds), 429, { 'Retry-After': String(seconds) });
    }
    const question = { party, browser, purpose: 'sign in', address: flow.shortAddressOf(page) } as const;
    const proof = found ? await passkeys.verifyPasskey(context, question, found, answer) : 'unknown';
    if (typeof proof === 'string') {
      flow.noteFailure(page, email);
      return fail(t[proof]);
    }
    const { user, isVerified } = proof;
    await flow.tries.takeBack(email, from);
    // With a second factor that is still due, the sign-in is recorded once the code is right.
    const isDue = !isVerified && (await store.secondFactors.find(user.id)) !== null;
    note({ is_passkey: true }, isDue ? { action: null } : { user });
    return flow.signIn(page, user, to, getTimeZone(form), { method: 'passkey', isMultiFactor: isVerified });
  };

  return [page(PATH, { access: 'open' }, showOptions), action(PATH, { access: 'open', audit: 'signed_in' }, signIn)];
}
