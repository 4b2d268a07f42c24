import { AppError } from './errors.ts';

/** WHATWG HTML, "valid e-mail address", at most as long as RFC 5321 allows. */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** The same with letters of any language behind the `@`. */
const INTERNATIONAL = /^([^@]+@)([\p{L}\p{M}\p{N}.-]+)$/u;

const MAX_ADDRESS_LENGTH = 254;
const MAX_ADDRESSES = 20;

/** Whether a text is one e-mail address and nothing else. */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_ADDRESS_LENGTH && EMAIL.test(text);
}

/**
 * The one e-mail address that a text is, as any mail server takes it: a domain in letters of another language becomes
 * what it is in the DNS. Null for anything else, also where such letters stand before the `@`.
 */
export function parseAddress(text: string): string | null {
  // Before the domain is looked at: that takes seconds for one of many marks.
  if (text.length > MAX_ADDRESS_LENGTH) return null;
  const [, user = '', domain = ''] = INTERNATIONAL.exec(text) ?? [];
  const url = `http://${domain}`;
  const address = /\P{ASCII}/u.test(domain) && URL.canParse(url) ? user + new URL(url).hostname : text;
  return isEmailAddress(address) ? address : null;
}

/** E-mail addresses with commas between, each once, at most 20; empty for none. Throws `invalid_input`, naming the one at fault. */
export function parseAddresses(text: string): readonly string[] {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
  const parsed = items.map((item) => {
    const address = parseAddress(item);
    if (address !== null) return address;
    throw new AppError(
      'invalid_input',
      `${JSON.stringify(item)} is no e-mail address; it takes addresses such as ada@example.com with commas between.`,
    );
  });
  const addresses = [...new Map(parsed.map((address) => [address.toLowerCase(), address])).values()];
  if (addresses.length <= MAX_ADDRESSES) return addresses;
  throw new AppError('invalid_input', `there are ${addresses.length} addresses; it takes at most ${MAX_ADDRESSES}.`);
}
