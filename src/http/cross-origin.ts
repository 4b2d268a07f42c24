import { AppError } from '../domain/errors.ts';

type Headers = Readonly<Record<string, string>>;

/** Any page may post here and read the answer, but never with the cookies of this address. */
const ANY_ORIGIN: Headers = { 'Access-Control-Allow-Origin': '*' };

/**
 * What lets the page that asks read the answer, where only pages of `allowed` origins may; none for every page. Answers
 * differ by origin then, which caches are told.
 */
export function corsHeaders(request: Request, allowed: readonly string[]): Headers {
  if (allowed.length === 0) return ANY_ORIGIN;
  const origin = request.headers.get('origin');
  if (origin === null || !allowed.includes(origin)) return { Vary: 'Origin' };
  return { 'Access-Control-Allow-Origin': origin, Vary: 'Origin' };
}

/**
 * Throws `origin_not_allowed` unless the request comes from a page of an allowed origin, by its Origin header, else by
 * its Referer. A request that names neither, or `null`, is refused; with none allowed every one may.
 */
export function requireOrigin(request: Request, allowed: readonly string[]): void {
  if (allowed.length === 0 || allowed.includes(originOf(request) ?? '')) return;
  throw new AppError('origin_not_allowed', 'This form takes no submissions from this page.');
}

function originOf({ headers }: Request): string | null {
  const origin = headers.get('origin');
  const referer = headers.get('referer') ?? '';
  return origin ?? (URL.canParse(referer) ? new URL(referer).origin : null);
}
