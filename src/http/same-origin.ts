import { AppError } from '../domain/errors.ts';

/**
 * Throws `origin_not_allowed` unless the request was sent by a page of this instance. Checks `Sec-Fetch-Site` or, if
 * that is missing, `Origin`; browsers set both and pages can't change them.
 */
export function requireSameOrigin({ headers }: Request, baseUrl: string | null): void {
  const site = headers.get('sec-fetch-site');
  if (site === null ? isOwnOrigin(headers, baseUrl) : site === 'same-origin') return;
  throw new AppError('origin_not_allowed', 'This request did not come from this site. Reload the page and try again.');
}

function isOwnOrigin(headers: Headers, baseUrl: string | null): boolean {
  const origin = headers.get('origin') ?? '';
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === headers.get('host') || (baseUrl !== null && host === new URL(baseUrl).host);
}
