import type { Texts } from '../index.ts';
import { ACCOUNT } from './account.ts';
import { AUDIT } from './audit.ts';
import { CONNECT } from './connect.ts';
import { ERASE } from './erase.ts';
import { ERRORS } from './errors.ts';
import { EXPORT } from './export.ts';
import { FIELDS } from './fields.ts';
import { FORMS } from './forms.ts';
import { HOSTED } from './hosted.ts';
import { INBOX } from './inbox.ts';
import { KEYS } from './keys.ts';
import { LAYOUT } from './layout.ts';
import { MAIL } from './mail.ts';
import { OVERVIEW } from './overview.ts';
import { SETTINGS } from './settings.ts';
import { SIGN_IN } from './sign-in.ts';
import { SPAM } from './spam.ts';
import { STATUS } from './status.ts';
import { SUBMISSION } from './submission.ts';
import { TEAM } from './team.ts';
import { USAGE } from './usage.ts';
import { WEBHOOKS } from './webhooks.ts';

/** The dashboard in German. */
export const DE: Texts = {
  ...LAYOUT,
  ...ERRORS,
  ...WEBHOOKS,
  ...KEYS,
  ...TEAM,
  ...USAGE,
  ...FIELDS,
  ...FORMS,
  ...OVERVIEW,
  ...SETTINGS,
  ...ERASE,
  ...CONNECT,
  ...HOSTED,
  ...EXPORT,
  ...INBOX,
  ...SPAM,
  ...STATUS,
  ...SUBMISSION,
  ...MAIL,
  ...AUDIT,
  ...SIGN_IN,
  ...ACCOUNT,
};
