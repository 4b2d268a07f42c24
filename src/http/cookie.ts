import { type Micros, SECOND } from '../lib/clock.ts';

/**
 * A cookie and the path it is sent to. Over TLS the name has the prefix `__Host-`, which keeps sibling hosts and plain
 * HTTP pages from overwriting the cookie; the prefix requires the path `/`.
 */
export type Cookie = Readonly<{ name: string; path: string }>;

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
): string {
  const isSecure = isHttps(baseUrl) || isHttps(request.headers.get('origin'));
  const attributes = isSecure ? [`__Host-${name}=${value}`, 'Path=/', 'Secure'] : [`${name}=${value}`, `Path=${path}`];
  return [...attributes, 'HttpOnly', 'SameSite=Lax', `Max-Age=${Math.round(maxAge / SECOND)}`].join('; ');
}

function isHttps(url: string | null): boolean {
  return url?.startsWith('https:') === true;
}
