import type { Micros } from '../lib/clock.ts';
import { type Cookie, readCookie, setCookie } from './cookie.ts';

const SESSION: Cookie = { name: 'formstead_session', path: '/dashboard' };

/** The secret that a browser presents; null if it presents none. */
export function sessionSecretOf(request: Request): string | null {
  return readCookie(request, SESSION);
}

/** The header that gives the browser a secret for so long. */
export function sessionCookie(request: Request, secret: string, lasts: Micros): string {
  return setCookie(request, SESSION, secret, lasts);
}

/** The headers that take it away again, and with it what the browser has kept of our pages. */
export function signedOutHeaders(request: Request): Readonly<Record<string, string>> {
  return { 'Set-Cookie': setCookie(request, SESSION, '', 0), 'Clear-Site-Data': '"cache", "storage"' };
}
