import Negotiator from 'negotiator';
import { shortHeader } from './short-header.ts';

/** Returns whether the client accepts gzip with at least the weight of identity (RFC 9110, section 12.5.3). */
export function acceptsGzip(request: Request): boolean {
  const accepted = { 'accept-encoding': shortHeader(request, 'accept-encoding') ?? '' };
  return new Negotiator({ headers: accepted }).encoding(['gzip', 'identity']) === 'gzip';
}

/** Returns whether If-None-Match contains this ETag, in the weak comparison of RFC 9110. */
export function isNotModified({ headers }: Request, tag: string): boolean {
  const tags = headers.get('if-none-match')?.split(',') ?? [];
  const opaque = (candidate: string) => candidate.trim().replace(/^W\//, '');
  return tags.some((candidate) => ['*', opaque(tag)].includes(opaque(candidate)));
}
