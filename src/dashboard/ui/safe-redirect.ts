const HOME = '/dashboard/forms';

/** Longer addresses are rejected: the URL parser takes seconds for some hosts. */
const MAX_LENGTH = 2_000;

/** Returns path and query of an address in the dashboard. Returns the home page for any other address. */
export function safeRedirect(address: string): string {
  const base = 'http://here.invalid';
  if (address.length > MAX_LENGTH || !URL.canParse(address, base)) return HOME;
  const { origin, pathname, search } = new URL(address, base);
  return origin === base && pathname.startsWith('/dashboard/') ? pathname + search : HOME;
}
