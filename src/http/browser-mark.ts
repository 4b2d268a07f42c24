import { DAY } from '../lib/clock.ts';
import { type Cookie, readCookie, setCookie } from './cookie.ts';

/** Presented with tries to sign in, and left when the session ends. */
const MARK: Cookie = { name: 'formstead_browser', path: '/dashboard' };

/** The mark that a browser carries since it has signed in before; null if it carries none. */
export function browserMarkOf(request: Request): string | null {
  return readCookie(request, MARK);
}

/** The header that gives the browser its mark, for a year. */
export function browserMarkCookie(request: Request, mark: string): string {
  return setCookie(request, MARK, mark, 365 * DAY);
}
