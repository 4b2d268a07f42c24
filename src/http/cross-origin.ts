import { AppError } from '../domain/errors.ts';

type Headers = Readonly<Record<string, string>>;

/** Lets any page post and read the response, but without credentials. */
export const ANY_ORIGIN: Headers = { 'Access-Control-Allow-Origin': '*' };

/**
 * Returns the CORS headers that let a page read the response. An empty `allowed` allows every origin; otherwise the
 * response depends on the origin and carries `Vary: Origin`.
 */
export function corsHeaders(request: Request, allowed: readonly string[]): Headers {
  if (allowed.length === 0) return ANY_ORIGIN;
  const origin = request.headers.get('origin');
  if (origin === null || !allowed.includes(origin)) return { Vary: 'Origin' };
  return { 'Access-Control-Allow-Origin': origin, Vary: 'Origin' };
}

/**
 * Throws `origin_not_allowed` unless the Origin header, or else the Referer, has an allowed origin. A request with
 * neither, or with the origin `null`, is refused. An empty `allowed` allows every origin.
 */
export function requireOrigin(request: Request, allowed: readonly string[]): void {
  if (allowed.length === 0 || allowed.includes(getOrigin(request) ?? '')) return;
  throw new AppError('origin_not_allowed', 'This form does not accept submissions from this page.');
}

function getOrigin({ headers }: Request): string | null {
  const origin = headers.get('origin');
  const referer = headers.get('referer') ?? '';
  return origin ?? (URL.canParse(referer) ? new URL(referer).origin : null);
}
