import { DAY, type Micros, SECOND } from '../lib/clock.ts';

/** Reads the secret of a session, and sets it. */
export const { read: getSessionSecret, set: sessionCookie } = cookieNamed('formstead_session');

/** Returns headers that remove the session cookie and clear the browser's cache of the dashboard. */
export function signedOutHeaders(request: Request, baseUrl: string | null): Readonly<Record<string, string>> {
  return { 'Set-Cookie': sessionCookie(request, baseUrl, '', 0), 'Clear-Site-Data': '"cache", "storage"' };
}

/** The mark of a browser that an earlier sign-in has set. Sent with sign-in attempts; it outlives the session. */
const device = cookieNamed('formstead_browser');
export const getDeviceCookie = device.read;

/** Returns the Set-Cookie header of a device cookie that lasts a year. */
export function deviceCookie(request: Request, baseUrl: string | null, mark: string): string {
  return device.set(request, baseUrl, mark, 365 * DAY);
}

/** A sign-in by a provider, sealed, until the browser returns from there. An empty one removes the cookie. */
export const { read: getSignInState, set: signInStateCookie } = cookieNamed('formstead_sign_in');

/** Binds the challenge of a passkey to a browser that nobody is signed in on. */
export const { read: getPasskeyMark, set: passkeyCookie } = cookieNamed('formstead_passkey');

/**
 * Returns functions for a cookie of the dashboard. Over TLS the name has the prefix `__Host-`, which keeps sibling hosts and
 * plain HTTP pages from overwriting the cookie; the prefix requires the path `/`.
 */
function cookieNamed(name: string) {
  return {
    /** Returns the cookie's value from the request, or null. With an https `baseUrl` only a `__Host-` cookie counts. */
    read: ({ headers }: Request, baseUrl: string | null): string | null => {
      const cookies = new Bun.CookieMap(headers.get('cookie') ?? '');
      const value = cookies.get(`__Host-${name}`) || (isHttps(baseUrl) ? null : cookies.get(name));
      // Ours have nothing to encode, and some are set again.
      return value && /^[\w.~-]+$/.test(value) ? value : null;
    },

    /**
     * Returns the Set-Cookie header for an HttpOnly cookie. `Secure` is set with an https `baseUrl`, and otherwise if the
     * request's Origin is https, because browsers silently drop a secure cookie on plain HTTP.
     */
    set: (request: Request, baseUrl: string | null, value: string, maxAge: Micros): string => {
      const isSecure = isHttps(baseUrl) || isHttps(request.headers.get('origin'));
      const attributes = isSecure
        ? [`__Host-${name}=${value}`, 'Path=/', 'Secure']
        : [`${name}=${value}`, 'Path=/dashboard'];
      return [...attributes, 'HttpOnly', 'SameSite=Lax', `Max-Age=${Math.round(maxAge / SECOND)}`].join('; ');
    },
  };
}

const isHttps = (url: string | null): boolean => url?.startsWith('https:') === true;
