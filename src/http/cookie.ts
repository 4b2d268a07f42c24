import { type Micros, SECOND } from '../lib/clock.ts';

/**
 * A cookie and the path it is sent to. Over TLS the name has the prefix `__Host-`, which keeps sibling hosts and plain HTTP
 * pages from overwriting the cookie; the prefix requires the path `/`.
 */
export type Cookie = Readonly<{ name: string; path: string }>;

/** Returns the cookie's value from the request, or null. */
export function readCookie({ headers }: Request, { name }: Cookie): string | null {
  const cookies =
    headers
      .get('cookie')
      ?.split(';')
      .map((cookie) => cookie.trim().split('=', 2)) ?? [];
  for (const candidate of [`__Host-${name}`, name]) {
    const value = cookies.find(([key, value]) => key === candidate && value)?.[1];
    if (value) return value;
  }
  return null;
}

/**
 * Returns the Set-Cookie header for an HttpOnly cookie. `Secure` is set only if the request's Origin is https, because
 * browsers silently drop a secure cookie on plain HTTP.
 */
export function setCookie(request: Request, { name, path }: Cookie, value: string, maxAge: Micros): string {
  const isSecure = request.headers.get('origin')?.startsWith('https:');
  const attributes = isSecure ? [`__Host-${name}=${value}`, 'Path=/', 'Secure'] : [`${name}=${value}`, `Path=${path}`];
  return [...attributes, 'HttpOnly', 'SameSite=Lax', `Max-Age=${Math.round(maxAge / SECOND)}`].join('; ');
}
