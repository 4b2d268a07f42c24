/** The Content-Security-Policy of responses that are not pages. */
export const DENY_ALL_CSP = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The default headers that no setting changes. */
export const FIXED_HEADERS = {
  'Content-Security-Policy': DENY_ALL_CSP,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

type Options = Readonly<{ baseUrl: string | null; hstsSubdomains: boolean }>;

/** Returns the default headers of every response. HSTS is added if `BASE_URL` is https. */
export function baseHeaders({ baseUrl, hstsSubdomains }: Options): Readonly<Record<string, string>> {
  const hsts = `max-age=31536000${hstsSubdomains ? '; includeSubDomains' : ''}`;
  return { ...FIXED_HEADERS, ...(baseUrl?.startsWith('https:') && { 'Strict-Transport-Security': hsts }) };
}
