const HOME = '/dashboard/forms';

/** A host of many marks takes the parser of addresses seconds. */
const LONGEST = 2_000;

/** The page of the dashboard that an address leads to, with its query; the first page for any other address. */
export function safeRedirect(address: string): string {
  const here = 'http://here.invalid';
  if (address.length > LONGEST || !URL.canParse(address, here)) return HOME;
  const { origin, pathname, search } = new URL(address, here);
  return origin === here && pathname.startsWith('/dashboard/') ? pathname + search : HOME;
}
