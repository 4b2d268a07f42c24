import { type Micros, SECOND } from '../lib/clock.ts';

/**
 * A cookie of ours; `path` is the pages that it is sent to. Over TLS its name begins with `__Host-`, so that neither a
 * neighbouring host nor a page on plain HTTP can put another in its place; browsers ask for the path `/` then.
 */
export type Cookie = Readonly<{ name: string; path: string }>;

/** What a browser presents of it; null if it presents none. */
export function readCookie({ headers }: Request, { name }: Cookie): string | null {
  const cookies =
    headers
      .get('cookie')
      ?.split(';')
      .map((cookie) => cookie.trim().split('=', 2)) ?? [];
  for (const wanted of [`__Host-${name}`, name]) {
    const value = cookies.find(([found, value]) => found === wanted && value)?.[1];
    if (value) return value;
  }
  return null;
}

/**
 * The header that gives it to the browser for so long, out of reach of scripts. It is told to send it over TLS alone where
 * the page came that way, which is told by its origin: over plain HTTP it would drop such a cookie without a word.
 */
export function setCookie(request: Request, { name, path }: Cookie, value: string, lasts: Micros): string {
  const isSecure = request.headers.get('origin')?.startsWith('https:');
  const place = isSecure ? [`__Host-${name}=${value}`, 'Path=/', 'Secure'] : [`${name}=${value}`, `Path=${path}`];
  return [...place, 'HttpOnly', 'SameSite=Lax', `Max-Age=${Math.round(lasts / SECOND)}`].join('; ');
}
