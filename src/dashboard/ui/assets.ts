import { assetAddress, assetAnswer } from '../../http/asset.ts';
import style from '../assets/dashboard.css' with { type: 'text' };
import script from '../assets/dashboard.js' with { type: 'text' };

export const STYLE = assetAddress('dashboard.css', style);
export const SCRIPT = assetAddress('dashboard.js', script);

/** The style and the script that every page loads. */
export const ASSETS = [
  { address: STYLE, answer: assetAnswer(style, 'text/css') },
  { address: SCRIPT, answer: assetAnswer(script, 'text/javascript') },
] as const;
