/** WHATWG HTML, "valid email address", with the local part limited to 64 characters as in RFC 5321. */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** An address whose domain may have letters of any script. */
const INTERNATIONAL = /^([^@]+@)([\p{L}\p{M}\p{N}.-]+)$/u;

const MAX_ADDRESS_LENGTH = 254;

/** Reports whether the text is exactly one email address. */
export const isEmailAddress = (text: string): boolean => text.length <= MAX_ADDRESS_LENGTH && EMAIL.test(text);

/**
 * Parses one email address and converts an internationalized domain to Punycode. Returns null for anything else,
 * including an internationalized local part, which few mail servers accept.
 */
export function parseAddress(text: string): string | null {
  // Check the length before parsing the domain: `URL` takes seconds for a long one of combining marks.
  if (text.length > MAX_ADDRESS_LENGTH) return null;
  const [, user = '', domain = ''] = INTERNATIONAL.exec(text) ?? [];
  const url = `http://${domain}`;
  const address = /\P{ASCII}/u.test(domain) && URL.canParse(url) ? user + new URL(url).hostname : text;
  return isEmailAddress(address) ? address : null;
}

/** Parses a sender: one address, alone or in angle brackets behind a name. Returns null for anything else. */
export function parseSender(text: string): string | null {
  const trimmed = text.trim();
  const [, name = '', bracketed = trimmed] = /^([^<>\p{Cc}]*)<([^<>]+)>$/u.exec(trimmed) ?? [];
  const address = parseAddress(bracketed.trim());
  // Without quotes, a comma in the name would make two senders of one.
  const quoted = name.replace(/["\\]/g, '').trim();
  return address !== null && quoted ? `"${quoted}" <${address}>` : address;
}
