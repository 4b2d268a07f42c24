import { Elysia } from 'elysia';
import { assetAddress, assetAnswer } from '../../http/asset.ts';
import style from '../assets/dashboard.css' with { type: 'text' };
import script from '../assets/dashboard.js' with { type: 'text' };

/** The style and the script of the dashboard. */
export function assetRoutes() {
  return new Elysia()
    .get(assetAddress('dashboard.css', style), assetAnswer(style, 'text/css'))
    .get(assetAddress('dashboard.js', script), assetAnswer(script, 'text/javascript'));
}
