import { DAY } from '../lib/clock.ts';
import { type Cookie, readCookie, setCookie } from './cookie.ts';

/** Sent with sign-in attempts; it outlives the session. */
const DEVICE_COOKIE: Cookie = { name: 'formstead_browser', path: '/dashboard' };

/** Returns the device cookie that an earlier sign-in has set, or null. */
export function getDeviceCookie(request: Request, baseUrl: string | null): string | null {
  return readCookie(request, DEVICE_COOKIE, baseUrl);
}

/** Returns the Set-Cookie header of a device cookie that lasts a year. */
export function deviceCookie(request: Request, baseUrl: string | null, mark: string): string {
  return setCookie(request, DEVICE_COOKIE, baseUrl, mark, 365 * DAY);
}
