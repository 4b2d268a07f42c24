import type { Context } from '../../../context/context.ts';
import { AppError } from '../../../domain/errors.ts';
import { MINUTE } from '../../../lib/clock.ts';
import { SlidingWindow } from '../../../lib/sliding-window.ts';
import { createInvited } from '../../../services/users/identities.ts';
import { action, type DashboardRoute, type PageContext, PROXY_SIGN_IN, page, redirectTo } from '../../page.ts';
import { safeRedirect } from '../../ui/safe-redirect.ts';
import { getViewer } from '../../viewer.ts';
import { getInvitation, SECOND_FACTOR_PATH, signInPath } from './paths.ts';
import type { SignInFlow } from './sign-in-flow.ts';
import { findInvitation, joinPage } from './welcome.tsx';

/** Sessions of a user in ten minutes. A browser needs one; a client that keeps no cookies, one for each request. */
const MAX_SESSIONS = 60;

/** Signs in the user whom a trusted proxy names. Other pages redirect here until the session is that user's. */
export function proxyRoutes(context: Context, flow: SignInFlow): readonly DashboardRoute[] {
  const { store, config, trustedHeader, monotonic } = context;
  const sessions = new SlidingWindow(MAX_SESSIONS, 10 * MINUTE);

  /** Asks newcomers before their account joins a team, because any site can lead here with an invitation of its own. */
  const signIn = async (page: PageContext, isConfirmed: boolean) => {
    const { request, server, query, currentUser, note } = page;
    const to = safeRedirect(query.get('to') ?? '');
    const email = trustedHeader.read(request, server);
    if (email === null) return redirectTo(currentUser ? to : signInPath(to));
    if (currentUser?.user.email === email) {
      note({}, { action: null });
      return redirectTo(currentUser.session.isPending ? `${SECOND_FACTOR_PATH}?to=${encodeURIComponent(to)}` : to);
    }
    const { allowed, resetSeconds } = sessions.take(email, monotonic());
    if (!allowed) {
      const headers = { 'Retry-After': String(resetSeconds) };
      throw new AppError('rate_limited', `Too many sign-ins. Try again in ${resetSeconds} s.`, { headers });
    }
    const invitation = getInvitation(to);
    const account = await store.users.findByEmail(email);
    const asked = account || isConfirmed || invitation === null ? null : await findInvitation(store, invitation);
    if (asked) {
      note({}, { action: null });
      return joinPage(getViewer(request, null), asked, email, true);
    }
    const user =
      account ?? (await createInvited(context, { email }, null, { join: config.authHeaderJoin, invitation }));
    if (!user) {
      flow.noteFailure(page, email);
      const message = `There is no account for ${email}. Ask an owner of the team for an invitation.`;
      throw new AppError('not_from_here', message, { reason: ['no_account', email] });
    }
    if (!account) note({}, { action: 'account.created', user });
    else note({ method: 'header' }, (await store.secondFactors.find(user.id)) ? { action: null } : { user });
    const path = !account && invitation !== null ? safeRedirect('') : to;
    return flow.signIn(page, user, path, null, { method: 'header' });
  };

  const declared = { access: 'open', audit: 'signed_in' } as const;
  return [
    page(PROXY_SIGN_IN, declared, (page) => signIn(page, false)),
    action(PROXY_SIGN_IN, declared, (page) => signIn(page, true)),
  ];
}
