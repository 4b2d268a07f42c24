import { AppError } from '../domain/errors.ts';

/**
 * Lets only pages of this instance change something. A browser says in `Sec-Fetch-Site`, or where that is not sent in
 * `Origin`, which page a post comes from, and no page can make it lie. Throws `AppError` for any other and for neither.
 */
export function requireSameOrigin({ headers }: Request, baseUrl: string | null): void {
  const site = headers.get('sec-fetch-site');
  if (site === null ? isOwnOrigin(headers, baseUrl) : site === 'same-origin') return;
  throw new AppError(
    'origin_not_allowed',
    'This was not sent by a page of this instance. Open the page anew and try again.',
  );
}

function isOwnOrigin(headers: Headers, baseUrl: string | null): boolean {
  const origin = headers.get('origin') ?? '';
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === headers.get('host') || (baseUrl !== null && host === new URL(baseUrl).host);
}
