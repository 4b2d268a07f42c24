import { DAY, type Micros } from '../lib/clock.ts';
import { type Cookie, readCookie, setCookie } from './cookie.ts';

const SESSION: Cookie = { name: 'formstead_session', path: '/dashboard' };

/** Returns the session secret from the request, or null. */
export function getSessionSecret(request: Request, baseUrl: string | null): string | null {
  return readCookie(request, SESSION, baseUrl);
}

/** Returns the Set-Cookie header of a session. */
export function sessionCookie(request: Request, baseUrl: string | null, secret: string, maxAge: Micros): string {
  return setCookie(request, SESSION, baseUrl, secret, maxAge);
}

/** Returns headers that remove the session cookie and clear the browser's cache of the dashboard. */
export function signedOutHeaders(request: Request, baseUrl: string | null): Readonly<Record<string, string>> {
  return { 'Set-Cookie': setCookie(request, SESSION, baseUrl, '', 0), 'Clear-Site-Data': '"cache", "storage"' };
}

/** Sent with sign-in attempts; it outlives the session. */
const DEVICE: Cookie = { name: 'formstead_browser', path: '/dashboard' };

/** Returns the device cookie that an earlier sign-in has set, or null. */
export function getDeviceCookie(request: Request, baseUrl: string | null): string | null {
  return readCookie(request, DEVICE, baseUrl);
}

/** Returns the Set-Cookie header of a device cookie that lasts a year. */
export function deviceCookie(request: Request, baseUrl: string | null, mark: string): string {
  return setCookie(request, DEVICE, baseUrl, mark, 365 * DAY);
}
