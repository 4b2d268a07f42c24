import Negotiator from 'negotiator';
import { AppError } from '../domain/errors.ts';
import { shortHeader } from './short-header.ts';

/** Returns whether the client accepts gzip with at least the weight of identity (RFC 9110, section 12.5.3). */
export function acceptsGzip(request: Request): boolean {
  const accepted = { 'accept-encoding': shortHeader(request, 'accept-encoding') ?? '' };
  return new Negotiator({ headers: accepted }).encoding(['gzip', 'identity']) === 'gzip';
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
