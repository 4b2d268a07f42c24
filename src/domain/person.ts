import { domainToASCII, domainToUnicode } from 'node:url';
import { normalize } from '../lib/normalize';
import { AppError } from './errors.ts';
import type { Payload, PayloadValue } from './submission.ts';

const MAX_ADDRESS_LENGTH = 254;
/** One `@`, nothing that ends an address in a text, and a letter or digit at its end. */
const ADDRESS = /^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]*[\p{L}\p{N}]$/u;

/**
 * The e-mail address of a person whose submissions are looked for, in small letters; also one with letters of any language.
 * Throws `invalid_input` for anything else.
 */
export function parsePersonAddress(text: string): string {
  const address = fold(text.trim());
  if (address.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(address)) return address;
  throw new AppError('invalid_input', 'that is no e-mail address; it takes one such as ada@example.com.');
}

/** Says of a text whether an address stands in it. */
export type AddressMatcher = (text: string) => boolean;

/**
 * Looks for an address of `parsePersonAddress`: alone or within a text, in small letters or capitals, its domain as it is
 * spoken or as it is in the DNS, with its `@` as it is or as in a link. One that is only a part of another address is
 * none: `ada@example.com` does not stand in `lada@example.com` nor in `ada@example.com.au`.
 */
export function addressMatcher(address: string): AddressMatcher {
  const at = address.lastIndexOf('@');
  const [user, domain] = [address.slice(0, at), address.slice(at + 1)];
  const domains = new Set([domain, domainToASCII(domain), domainToUnicode(domain)].filter(Boolean));
  const names = Array.from(domains, (one) => `${user}@${fold(one)}`);
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}][._+-]?)(?:${names.map(escapeRegExp).join('|')})(?![\\p{L}\\p{N}]|[.-][\\p{L}\\p{N}])`,
    'u',
  );
  const isMatch = (text: string) => names.some((name) => text.includes(name)) && pattern.test(text);
  return (input) => {
    const text = fold(input);
    return isMatch(text) || (text.includes('%40') && isMatch(decodePercent(text)));
  };
}

/** Whether an address stands in a name or a value, at any depth. */
export function containsAddress(payload: Payload, matches: AddressMatcher): boolean {
  const inValue = (value: PayloadValue): boolean => {
    if (typeof value === 'string') return matches(value);
    if (value === null || typeof value !== 'object') return false;
    if (Array.isArray(value)) return value.some(inValue);
    return Object.entries(value).some(([name, inner]) => matches(name) || inValue(inner));
  };
  return payload.some(([name, value]) => matches(name) || inValue(value));
}

function fold(text: string): string {
  return normalize(text, 'NFKC').toLowerCase();
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** With the characters that a link writes as `%40` and the like. */
function decodePercent(text: string): string {
  return text.replace(/%([2-7][0-9a-f])/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)).toLowerCase(),
  );
}
