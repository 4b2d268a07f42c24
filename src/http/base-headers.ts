/** The policy of what is no page: it loads, runs, sends and embeds nothing, and is embedded nowhere. */
export const NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * What every answer carries that says nothing else: browsers neither guess what it is, nor show it in a frame, nor load or
 * run anything for it, nor tell others its address. Where visitors come over TLS, they are never to come without.
 */
export function baseHeaders(baseUrl: string | null): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': NOTHING,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    ...(baseUrl?.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }),
  };
}
