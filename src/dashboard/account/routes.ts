import type { Context } from '../../context.ts';
import type { Accounts } from '../../services/accounts.ts';
import type { SignInThrottle } from '../../services/sign-in-throttle.ts';
import type { DashboardRoute } from '../page.ts';
import { accountDeleteRoutes } from './delete.tsx';
import { PasswordCheck } from './password-check.ts';
import { preferenceRoutes } from './preferences.tsx';
import { secondFactorRoutes } from './second-factor.tsx';
import { sessionRoutes } from './sessions.tsx';

/** The pages on which users change their own accounts. */
export function accountRoutes(context: Context, accounts: Accounts, tries: SignInThrottle): readonly DashboardRoute[] {
  const passwords = new PasswordCheck(context, accounts, tries);
  return [
    ...preferenceRoutes(context, passwords),
    ...sessionRoutes(context, passwords),
    ...accountDeleteRoutes(context, passwords),
    ...secondFactorRoutes(context, passwords),
  ];
}
