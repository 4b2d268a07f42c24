import { AppError } from '../domain/errors.ts';
import { isLocalHost } from '../lib/local-host.ts';

/** Throws `origin_not_allowed` unless a page of this instance sent the request. */
export function requireSameOrigin(request: Request, baseUrl: string | null): void {
  if (isSameOrigin(request, baseUrl)) return;
  throw new AppError('origin_not_allowed', 'This request did not come from this site. Reload the page and try again.');
}

/**
 * Returns whether a page of this instance sent the request. Checks `Sec-Fetch-Site` or, if that is missing, `Origin`;
 * browsers set both and pages can't change them.
 */
export function isSameOrigin({ headers }: Request, baseUrl: string | null): boolean {
  const site = headers.get('sec-fetch-site');
  return site === null ? isOwnOrigin(headers, baseUrl) : site === 'same-origin';
}

function isOwnOrigin(headers: Headers, baseUrl: string | null): boolean {
  const origin = headers.get('origin') ?? '';
  if (!URL.canParse(origin)) return false;
  const { protocol, host } = new URL(origin);
  const own = baseUrl === null ? null : new URL(baseUrl);
  return host === own?.host ? protocol === own.protocol : host === headers.get('host');
}

/**
 * Throws `origin_not_allowed` for a request of a page on another host. The Host header proves nothing here, since a page
 * can make its name resolve to this server (DNS rebinding). Requests without Origin come from programs, and pass.
 */
export function refuseForeignPage(
  { headers }: Request,
  { baseUrl, host }: Readonly<{ baseUrl: string | null; host: string }>,
): void {
  const origin = headers.get('origin');
  if (origin === null) return;
  const url = URL.parse(origin);
  const isHere = url !== null && (isLocalHost(url) || url.hostname === host);
  if (baseUrl === null ? isHere : origin === new URL(baseUrl).origin) return;
  throw new AppError('origin_not_allowed', 'This request came from a page of another site. Send it from a program.');
}
