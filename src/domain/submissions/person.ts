import { domainToASCII, domainToUnicode } from 'node:url';
import { normalize } from '../../lib/normalize.ts';
import { invalidInput } from '../errors.ts';
import type { Payload, PayloadValue } from './submission.ts';

const MAX_ADDRESS_LENGTH = 254;
/** One `@`, no delimiters of addresses in text, and a letter or digit at the end. */
const ADDRESS = /^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]*[\p{L}\p{N}]$/u;

/**
 * Parses the email address of a search for a person's submissions, in lowercase and with letters of any script. Throws
 * `invalid_input` for anything else.
 */
export function parsePersonAddress(text: string): string {
  const address = fold(text.trim());
  if (address.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(address)) return address;
  throw invalidInput('This is not an email address. Enter one such as ada@example.com.', ['invalid_email']);
}

/** A predicate that reports whether a text contains the address. */
export type AddressMatcher = (text: string) => boolean;

/**
 * Creates a matcher for an address from `parsePersonAddress`. It matches within text, in any letter case, with the
 * domain in Unicode or Punycode, and percent-encoded as in links. It does not match parts of other addresses:
 * `ada@example.com` is not in `lada@example.com` or `ada@example.com.au`.
 */
export function addressMatcher(address: string): AddressMatcher {
  const at = address.lastIndexOf('@');
  const [user, domain] = [address.slice(0, at), address.slice(at + 1)];
  const domains = new Set([domain, domainToASCII(domain), domainToUnicode(domain)].filter(Boolean));
  const names = Array.from(domains, (domain) => `${user}@${fold(domain)}`);
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}][._+-]?)(?:${names.map(RegExp.escape).join('|')})(?![\\p{L}\\p{N}]|[.-][\\p{L}\\p{N}])`,
    'u',
  );
  const isMatch = (text: string) => names.some((name) => text.includes(name)) && pattern.test(text);
  return (input) => {
    const text = fold(input);
    return isMatch(text) || (text.includes('%40') && isMatch(decodePercent(text)));
  };
}

/** Reports whether a field name or value contains the address, at any depth. */
export function containsAddress(payload: Payload, matches: AddressMatcher): boolean {
  const inValue = (value: PayloadValue): boolean => {
    if (typeof value === 'string') return matches(value);
    if (value === null || typeof value !== 'object') return false;
    if (Array.isArray(value)) return value.some(inValue);
    return Object.entries(value).some(([name, inner]) => matches(name) || inValue(inner));
  };
  return payload.some(([name, value]) => matches(name) || inValue(value));
}

const fold = (text: string): string => normalize(text, 'NFKC').toLowerCase();

/** Decodes the percent-encoded ASCII characters of a link, such as `%40`. */
function decodePercent(text: string): string {
  return text.replace(/%([2-7][0-9a-f])/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)).toLowerCase(),
  );
}
