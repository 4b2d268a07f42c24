import { DAY } from '../lib/clock.ts';
import { type Cookie, readCookie, setCookie } from './cookie.ts';

/** Presented with tries to sign in, and left when the session ends. */
const CHAR_CLASS: Cookie = { name: 'formstead_browser', path: '/dashboard' };

/** The mark that a browser carries since it has signed in before; null if it carries none. */
export function deviceCookieOf(request: Request): string | null {
  return readCookie(request, CHAR_CLASS);
}

/** The header that gives the browser its mark, for a year. */
export function deviceCookie(request: Request, mark: string): string {
  return setCookie(request, CHAR_CLASS, mark, 365 * DAY);
}
