import { assetAddress, assetAnswer } from '../../http/asset.ts';
import base from '../../http/assets/base.css' with { type: 'text' };
import own from '../assets/dashboard.css' with { type: 'text' };
import common from '../assets/dashboard.js' with { type: 'text' };
import forms from '../assets/forms.css' with { type: 'text' };
import formsScript from '../assets/forms.js' with { type: 'text' };
import inboxStyle from '../assets/inbox.css' with { type: 'text' };
import inbox from '../assets/inbox.js' with { type: 'text' };
import settingsStyle from '../assets/settings.css' with { type: 'text' };
import settings from '../assets/settings.js' with { type: 'text' };
import status from '../assets/status.css' with { type: 'text' };
import submission from '../assets/submission.css' with { type: 'text' };
import waiting from '../assets/waiting.js' with { type: 'text' };

// One file per feature. Each script has a scope of its own.
const style = leanStyle([base, own, forms, status, settingsStyle, submission, inboxStyle].join(''));
const script = leanScript([common, formsScript, waiting, settings, inbox].map((source) => `{\n${source}}\n`).join(''));
export const STYLE = assetAddress('dashboard.css', style);
export const SCRIPT = assetAddress('dashboard.js', script);

/** The style and the script that every page loads. */
export const ASSETS = [
  { address: STYLE, answer: assetAnswer(style, 'text/css') },
  { address: SCRIPT, answer: assetAnswer(script, 'text/javascript') },
] as const;

/** Drops comments and needless white space. */
function leanStyle(source: string): string {
  return source
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};]) ?/g, '$1');
}

/** Drops indentation, and lines that are comments. */
function leanScript(source: string): string {
  return source.replace(/^\s*\/\/.*\n/gm, '').replace(/^\s+/gm, '');
}
