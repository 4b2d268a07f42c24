/** A host that is safe to show in text, code and commands: a name or an address, with or without a port. */
const PLAIN_HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Returns the address of this instance: `BASE_URL`, or the scheme and host of the request. Returns null for a host that
 * contains anything but a name or an address, since the Host header is untrusted input.
 */
export function ownAddress({ url }: Request, baseUrl: string | null): string | null {
  if (baseUrl !== null) return baseUrl;
  const origin = URL.parse(url)?.origin;
  const host = origin?.replace(/^https?:\/\//, '');
  return origin !== undefined && host !== undefined && PLAIN_HOST.test(host) ? origin : null;
}
