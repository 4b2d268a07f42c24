import { Elysia } from 'elysia';
import type { Context } from '../context.ts';
import { AppError } from '../domain/errors.ts';
import { Downloads } from '../http/downloads.ts';
import type { Intake } from '../intake/accept.ts';
import { Accounts } from '../services/accounts.ts';
import { SignInTries } from '../services/sign-in-tries.ts';
import { accountDeletePages } from './account/delete.ts';
import { PasswordCheck } from './account/password-check.ts';
import { accountPages } from './account/preferences.ts';
import { secondFactorPages } from './account/second-factor.ts';
import { accountSessionPages } from './account/sessions.ts';
import { auditPages } from './audit/routes.ts';
import { erasePages } from './erase/routes.ts';
import { formConnectPages } from './forms/connect/routes.ts';
import { exportPages } from './forms/export/routes.ts';
import { formsPages } from './forms/list/routes.ts';
import { newFormPages } from './forms/new/routes.ts';
import { formSettingsPages } from './forms/settings/routes.ts';
import { inboxPages } from './inbox/routes.ts';
import { keyPages } from './keys/routes.ts';
import { mailPages } from './mail/routes.ts';
import { redirectTo, Visits } from './page.ts';
import { resetPages } from './sign-in/reset.ts';
import { secondFactorChallenge } from './sign-in/second-factor.ts';
import { signInPages } from './sign-in/sign-in.ts';
import { SignInFlow } from './sign-in/sign-in-flow.ts';
import { welcomePages } from './sign-in/welcome.ts';
import { submissionPages } from './submission/routes.ts';
import { teamPages } from './team/routes.ts';
import { teamSecondFactorPages } from './team/second-factor.ts';
import { assetRoutes } from './ui/assets.ts';
import { usagePages } from './usage/routes.ts';

/** The pages that owners work with in the browser. */
export function dashboardRoutes(context: Context, intake: Intake) {
  const visits = new Visits(context);
  const accounts = new Accounts(context);
  const tries = new SignInTries(context);
  const flow = new SignInFlow(context, accounts, tries);
  const passwords = new PasswordCheck(context, accounts, tries);
  const downloads = new Downloads(context.log);
  return new Elysia()
    .use(assetRoutes())
    .use(signInPages(context, visits, flow))
    .use(welcomePages(context, visits, flow))
    .use(resetPages(context, visits, flow))
    .use(accountPages(context, visits, passwords))
    .use(accountSessionPages(context, visits, passwords))
    .use(accountDeletePages(context, visits, passwords))
    .use(secondFactorPages(context, visits, passwords))
    .use(secondFactorChallenge(context, visits, flow))
    .use(teamSecondFactorPages(context, visits))
    .use(inboxPages(context, visits))
    .use(submissionPages(context, visits, downloads))
    .use(keyPages(context, visits))
    .use(usagePages(context, visits))
    .use(auditPages(context, visits))
    .use(formsPages(context, visits))
    .use(newFormPages(context, visits))
    .use(formSettingsPages(context, visits))
    .use(formConnectPages(context, visits, intake))
    .use(exportPages(context, visits, downloads))
    .use(erasePages(context, visits, downloads))
    .use(mailPages(context, visits))
    .use(teamPages(context, visits))
    .get('/', () => redirectTo('/dashboard'))
    .get(
      '/dashboard',
      visits.page(() => redirectTo('/dashboard/forms')),
    )
    .get(
      '/dashboard/*',
      visits.page(() => {
        throw new AppError('not_found', 'There is nothing at this address.');
      }),
    );
}
