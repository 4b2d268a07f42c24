import { featureAssets } from '../ui/assets.ts';
import detail from './detail.css' with { type: 'text' };
import inbox from './inbox.css' with { type: 'text' };
import script from './script.js' with { type: 'text' };

/** The style and the script of the inbox, which shows submissions in a pane. */
export const SUBMISSION_ASSETS = featureAssets('submissions', detail + inbox, script);
