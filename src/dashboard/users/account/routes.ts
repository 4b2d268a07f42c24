import type { Context } from '../../../context/context.ts';
import type { DashboardRoute } from '../../page.ts';
import type { PasswordCheck } from '../../password-check.ts';
import { accountDeleteRoutes } from './delete.tsx';
import { emailRoutes } from './email.tsx';
import { preferenceRoutes } from './preferences.tsx';
import { secondFactorRoutes } from './second-factor.tsx';
import { sessionRoutes } from './sessions.tsx';

/** The pages on which users change their own accounts. */
export function accountRoutes(context: Context, passwords: PasswordCheck): readonly DashboardRoute[] {
  return [
    ...preferenceRoutes(context, passwords),
    ...emailRoutes(context, passwords),
    ...sessionRoutes(context, passwords),
    ...accountDeleteRoutes(context, passwords),
    ...secondFactorRoutes,
  ];
}
