import Negotiator from 'negotiator';

/** Whether the client takes a body in gzip at least as gladly as a plain one (RFC 9110, section 12.5.3). */
export function acceptsGzip({ headers }: Request): boolean {
  const accepted = { 'accept-encoding': headers.get('accept-encoding') ?? '' };
  return new Negotiator({ headers: accepted }).encoding(['gzip', 'identity']) === 'gzip';
}

/** Whether the client has this version already; compared weakly, as RFC 9110 asks of If-None-Match. */
export function isKnown({ headers }: Request, tag: string): boolean {
  const known = headers.get('if-none-match')?.split(',') ?? [];
  return known.some((one) => ['*', tag, tag.slice(2)].includes(one.trim()));
}
