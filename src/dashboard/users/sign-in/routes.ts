import type { Context } from '../../../context/context.ts';
import type { Accounts } from '../../../services/users/accounts.ts';
import type { SignInThrottle } from '../../../services/users/sign-in-throttle.ts';
import type { DashboardRoute } from '../../page.ts';
import { passkeySignInRoutes } from './passkey.ts';
import { resetRoutes } from './reset.tsx';
import { secondFactorChallengeRoutes } from './second-factor.tsx';
import { signInPageRoutes } from './sign-in.tsx';
import { SignInFlow } from './sign-in-flow.ts';
import { welcomeRoutes } from './welcome.tsx';

/** The pages that end in a session: sign-in with its second factor, welcome, and password reset; and the sign-out. */
export function signInRoutes(
  context: Context,
  accounts: Accounts,
  tries: SignInThrottle,
  codeTries: SignInThrottle,
): readonly DashboardRoute[] {
  const flow = new SignInFlow(context, accounts, tries, codeTries);
  return [
    ...signInPageRoutes(context, flow),
    ...passkeySignInRoutes(context, flow),
    ...secondFactorChallengeRoutes(context, flow),
    ...welcomeRoutes(context, flow),
    ...resetRoutes(context, flow),
  ];
}
