import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { Downloads } from '../../http/downloads.ts';
import type { Intake } from '../../intake/accept.ts';
import { accountPages } from './account.ts';
import { accountDeletePages } from './account-delete.ts';
import { accountSessionPages } from './account-sessions.ts';
import { assetRoutes } from './assets.ts';
import { auditPages } from './audit.ts';
import { Entry } from './entry.ts';
import { erasePages } from './erase.ts';
import { exportPages } from './export.ts';
import { formConnectPages } from './form-connect.ts';
import { newFormPages } from './form-new.ts';
import { formSettingsPages } from './form-settings.ts';
import { formsPages } from './forms.ts';
import { inboxPages } from './inbox.ts';
import { keyPages } from './keys.ts';
import { mailPages } from './mail.ts';
import { resetPages } from './reset.ts';
import { secondFactorPages } from './second-factor.ts';
import { signInPages } from './sign-in.ts';
import { submissionPages } from './submission.ts';
import { teamPages } from './team.ts';
import { usagePages } from './usage.ts';
import { redirectTo, Visits } from './visit.ts';
import { welcomePages } from './welcome.ts';

/** The pages that owners work with in the browser. */
export function dashboardRoutes(context: Context, intake: Intake) {
  const visits = new Visits(context);
  const entry = new Entry(context);
  const downloads = new Downloads(context.log);
  return new Elysia()
    .use(assetRoutes())
    .use(signInPages(context, visits, entry))
    .use(welcomePages(context, visits, entry))
    .use(resetPages(context, visits, entry))
    .use(accountPages(context, visits, entry))
    .use(accountSessionPages(context, visits, entry))
    .use(accountDeletePages(context, visits, entry))
    .use(secondFactorPages(context, visits, entry))
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
