import { type Micros, SECOND } from '../lib/clock.ts';

/** A cookie of ours; `path` is the pages that it is sent to. */
export type Cookie = Readonly<{ name: string; path: string }>;

/** What a browser presents of it; null if it presents none. */
export function readCookie({ headers }: Request, { name }: Cookie): string | null {
  const cookies = headers.get('cookie')?.split(';') ?? [];
  for (const cookie of cookies) {
    const [found, value] = cookie.trim().split('=', 2);
    if (found === name && value) return value;
  }
  return null;
}

/**
 * The header that gives it to the browser for so long, out of reach of scripts. It is told to send it over TLS alone where
 * the page came that way, which is told by its origin: over plain HTTP it would drop such a cookie without a word.
 */
export function setCookie(request: Request, { name, path }: Cookie, value: string, lasts: Micros): string {
  const isSecure = request.headers.get('origin')?.startsWith('https:');
  const parts = [`${name}=${value}`, `Path=${path}`, 'HttpOnly', 'SameSite=Lax'];
  return [...parts, `Max-Age=${Math.round(lasts / SECOND)}`, ...(isSecure ? ['Secure'] : [])].join('; ');
}
