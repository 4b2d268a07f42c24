import { Elysia } from 'elysia';
import style from '../../browser/dashboard.css' with { type: 'text' };
import script from '../../browser/dashboard.js' with { type: 'text' };
import { assetAddress, assetAnswer } from '../../http/asset.ts';

/** The style and the script of the dashboard. */
export function assetRoutes() {
  return new Elysia()
    .get(assetAddress('dashboard.css', style), assetAnswer(style, 'text/css'))
    .get(assetAddress('dashboard.js', script), assetAnswer(script, 'text/javascript'));
}
