import { AppError } from '../domain/errors.ts';

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
  const { host } = new URL(origin);
  return host === headers.get('host') || (baseUrl !== null && host === new URL(baseUrl).host);
}
