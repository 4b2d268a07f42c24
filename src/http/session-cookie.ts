import { DAY, type Micros, SECOND } from '../lib/clock.ts';

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

/** Keeps a sign-in by a provider, sealed, until the browser returns from there. */
const SIGN_IN_STATE: Cookie = { name: 'formstead_sign_in', path: '/dashboard' };

/** Returns the sealed sign-in that a browser has begun, or null. */
export function getSignInState(request: Request, baseUrl: string | null): string | null {
  return readCookie(request, SIGN_IN_STATE, baseUrl);
}

/** Returns the Set-Cookie header of a sign-in by a provider; an empty `sealed` removes the cookie. */
export function signInStateCookie(request: Request, baseUrl: string | null, sealed: string, maxAge: Micros): string {
  return setCookie(request, SIGN_IN_STATE, baseUrl, sealed, maxAge);
}
/** Binds the challenge of a passkey to a browser that nobody is signed in on. */
export const PASSKEY_COOKIE: Cookie = { name: 'formstead_passkey', path: '/dashboard' };

/**
 * A cookie and the path it is sent to. Over TLS the name has the prefix `__Host-`, which keeps sibling hosts and plain
 * HTTP pages from overwriting the cookie; the prefix requires the path `/`.
 */
type Cookie = Readonly<{ name: string; path: string }>;

/** Returns the cookie's value from the request, or null. With an https `baseUrl` only a `__Host-` cookie counts. */
export function readCookie({ headers }: Request, { name }: Cookie, baseUrl: string | null): string | null {
  const cookies = new Bun.CookieMap(headers.get('cookie') ?? '');
  return cookies.get(`__Host-${name}`) || (isHttps(baseUrl) ? null : cookies.get(name)) || null;
}

/**
 * Returns the Set-Cookie header for an HttpOnly cookie. `Secure` is set with an https `baseUrl`, and otherwise if the
 * request's Origin is https, because browsers silently drop a secure cookie on plain HTTP.
 */
export function setCookie(
  request: Request,
  { name, path }: Cookie,
  baseUrl: string | null,
  value: string,
  maxAge: Micros,
) {
  const isSecure = isHttps(baseUrl) || isHttps(request.headers.get('origin'));
  const attributes = isSecure ? [`__Host-${name}=${value}`, 'Path=/', 'Secure'] : [`${name}=${value}`, `Path=${path}`];
  return [...attributes, 'HttpOnly', 'SameSite=Lax', `Max-Age=${Math.round(maxAge / SECOND)}`].join('; ');
}

const isHttps = (url: string | null): boolean => url?.startsWith('https:') === true;
