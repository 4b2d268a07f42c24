import type { ServerContext } from '../context/server-context.ts';
import { AppError } from '../domain/errors.ts';
import { Accounts } from '../services/users/accounts.ts';
import { CODE_LIMITS, SignInThrottle } from '../services/users/sign-in-throttle.ts';
import { auditRoutes } from './audit/routes.tsx';
import { demoRoutes } from './demo/routes.tsx';
import { eraseRoutes } from './erasure/routes.tsx';
import { exportRoutes } from './exports/routes.tsx';
import { formConnectRoutes } from './forms/connect/routes.tsx';
import { formsRoutes } from './forms/list/routes.tsx';
import { newFormRoutes } from './forms/new/routes.tsx';
import { formOverviewRoutes } from './forms/overview/routes.tsx';
import { formSettingsRoutes } from './forms/settings/routes.ts';
import { statusRoutes } from './instance/routes.tsx';
import { keyRoutes } from './keys/routes.tsx';
import { mailRoutes } from './mail/routes.tsx';
import { page, redirectTo } from './page.ts';
import { PasswordCheck } from './password-check.tsx';
import { mountPages } from './runner.ts';
import { spamRoutes } from './spam/routes.tsx';
import { submissionRoutes } from './submissions/detail/routes.tsx';
import { inboxRoutes } from './submissions/inbox/routes.tsx';
import { teamRoutes } from './teams/routes.tsx';
import { usageRoutes } from './usage/routes.tsx';
import { accountRoutes } from './users/account/routes.tsx';
import { signInRoutes } from './users/sign-in/routes.ts';
import { webhookRoutes } from './webhooks/routes.tsx';

/** The dashboard: all its pages and actions. */
export function dashboardRoutes(context: ServerContext) {
  const accounts = new Accounts(context);
  const tries = new SignInThrottle(context);
  const codeTries = new SignInThrottle(context, CODE_LIMITS);
  const passwords = new PasswordCheck(context, accounts, tries);
  // Only pages for those who see the whole team may take the store of the process.
  const { store: _, ...shared } = context;
  return mountPages({ ...context, passwords, codeTries }, [
    ...signInRoutes(context, accounts, tries, codeTries),
    ...accountRoutes(context, passwords),
    ...inboxRoutes(shared),
    ...submissionRoutes,
    ...keyRoutes,
    ...usageRoutes(shared),
    ...statusRoutes(context),
    ...auditRoutes(context),
    ...formsRoutes(shared),
    ...formOverviewRoutes(shared),
    ...newFormRoutes(shared),
    ...formSettingsRoutes(),
    ...formConnectRoutes(shared),
    ...webhookRoutes(),
    ...exportRoutes(shared),
    ...eraseRoutes(context),
    ...mailRoutes(),
    ...spamRoutes(context),
    ...(context.demo ? demoRoutes(context, context.demo) : []),
    ...teamRoutes(context),
    page('/dashboard', { access: 'read' }, () => redirectTo('/dashboard/forms')),
    page('/dashboard/*', { access: 'open' }, () => {
      throw new AppError('not_found', 'There is nothing at this address.');
    }),
  ]);
}
