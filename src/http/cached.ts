import Negotiator from 'negotiator';
import { AppError } from '../domain/errors.ts';
import { once } from '../lib/once.ts';
import { shortHeader } from './short-header.ts';

/** Returns whether the client accepts gzip with at least the weight of identity (RFC 9110, section 12.5.3). */
export function acceptsGzip(request: Request): boolean {
  const accepted = { 'accept-encoding': shortHeader(request, 'accept-encoding') ?? '' };
  return new Negotiator({ headers: accepted }).encoding(['gzip', 'identity']) === 'gzip';
}

type TextHeaders = Readonly<Record<string, string>>;

/** Returns a response with a text, compressed by `gzip` if the client accepts that. */
export function textResponse(
  request: Request,
  text: string,
  init: Readonly<{ status?: number; headers: TextHeaders }>,
  gzip: () => Uint8Array<ArrayBuffer> = () => Bun.gzipSync(text),
): Response {
  if (!acceptsGzip(request)) return new Response(text, init);
  return new Response(gzip(), { ...init, headers: { ...init.headers, 'Content-Encoding': 'gzip' } });
}

/** Returns a handler that serves a text, which is compressed on the first request. Its ETag is that of both encodings. */
export function cachedText(text: string, others: TextHeaders): (request: Request) => Response {
  const tag = `W/${entityTag(text)}`;
  const headers = { ...others, ETag: tag };
  const gzipped = once(() => Bun.gzipSync(text, { level: 9 }));
  return (request) =>
    isNotModified(request, tag)
      ? new Response(null, { status: 304, headers })
      : textResponse(request, text, { headers }, gzipped);
}

/** Returns the strong ETag of a text. It is SHA-256, because visitors write most of what responses contain. */
export const entityTag = (text: string): string => `"${Bun.CryptoHasher.hash('sha256', text, 'base64url')}"`;

/** Throws `precondition_failed` if the request has an If-Match without this ETag. */
export function requireMatch({ headers }: Request, tag: string): void {
  const tags = headers.get('if-match')?.split(',') ?? ['*'];
  if (tags.some((candidate) => ['*', tag].includes(candidate.trim()))) return;
  throw new AppError('precondition_failed', 'The resource has changed since. Read it again and repeat the change.');
}

/** Returns whether If-None-Match contains this ETag, in the weak comparison of RFC 9110. */
export function isNotModified({ headers }: Request, tag: string): boolean {
  const tags = headers.get('if-none-match')?.split(',') ?? [];
  const opaque = (candidate: string) => candidate.trim().replace(/^W\//, '');
  return tags.some((candidate) => ['*', opaque(tag)].includes(opaque(candidate)));
}
