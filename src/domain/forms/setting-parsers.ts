import { MAX_URL_LENGTH, parseHttpUrl } from '../../lib/http-url.ts';
import { normalize } from '../../lib/normalize.ts';
import { invalidInput } from '../errors.ts';
import { parseAddress } from '../mail/email-address.ts';

/** Parses the address of a watched page: https, or http on this machine. Throws `invalid_input` otherwise. */
export function parseWatchPage(text: string): string {
  const url = parseHttpUrl(text);
  const isAllowed = url && (url.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname));
  if (isAllowed && url.href.length <= MAX_URL_LENGTH) return url.href;
  throw invalidInput('The watched page must be an https URL such as https://example.com/contact.', [
    'invalid_watch_page',
  ]);
}

/** Longest retention: about a hundred years. */
export const MAX_RETENTION_DAYS = 36_500;

/** Returns a parser of a whole number, which throws `invalid_input` unless it is `min` to `max`. */
export function wholeNumberParser(label: string, min: number, max: number, unit = ''): (text: string) => number {
  const digits = new RegExp(`^\\d{1,${String(max).length}}$`);
  return (text) => {
    const number = Number(text);
    if (digits.test(text) && number >= min && number <= max) return number;
    const message = `${label} must be a whole number${unit} from ${min} to ${max} (got ${JSON.stringify(text)}).`;
    throw invalidInput(message, ['number_out_of_range', min, max]);
  };
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i;

/** Parses a time in RFC 3339 with an offset into UTC, to the second. Throws `invalid_input` otherwise. */
export function parseInstant(text: string): string {
  const millis = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(millis)) return new Date(millis).toISOString().replace(/\.\d+/, '');
  throw invalidInput(
    `${JSON.stringify(text)} is not a time. Use a date, a time and an offset, such as 2026-12-24T18:00:00+01:00.`,
    ['invalid_time'],
  );
}

/** Parses an absolute http or https URL of at most 2,000 characters and normalizes it. Else throws `invalid_input`. */
export function parseRedirectUrl(text: string): string {
  const url = parseHttpUrl(text);
  if (url && url.href.length <= MAX_URL_LENGTH) return url.href;
  throw invalidInput('The redirect URL must be an absolute http or https URL such as https://example.com/thanks.', [
    'invalid_redirect_url',
  ]);
}

/** Refusals of the items of lists, by their reasons. */
const REFUSALS = {
  not_an_origin: (item: string) =>
    `The allowed origin ${item} is invalid. Use scheme and host without a path, such as https://example.com.`,
  not_a_file_type: (item: string) =>
    `The allowed file type ${item} is invalid. Use media types such as image/* or application/pdf.`,
  invalid_blocked_word: (item: string) => `The blocked word ${item} is invalid. Use 3 to 100 characters.`,
  not_an_email: (item: string) => `${item} is not an email address. Use addresses such as ada@example.com.`,
} as const;

/** Parses comma-separated items. Throws `invalid_input` naming one for which `parse` returns a falsy value. */
function parseItems(text: string, reason: keyof typeof REFUSALS, parse: (item: string) => string | false | null) {
  const items = text.split(',').map((item) => item.trim());
  return items.filter(Boolean).map((item) => {
    const parsed = parse(item);
    if (parsed) return parsed;
    throw invalidInput(REFUSALS[reason](JSON.stringify(item)), [reason, item]);
  });
}

/** Length limit before parsing; a host name has at most 253 characters. */
const MAX_ORIGIN_LENGTH = 300;

/** Parses comma-separated origins and removes duplicates; empty means all. Throws `invalid_input` naming the invalid one. */
export function parseOrigins(text: string): readonly string[] {
  const origins = parseItems(text, 'not_an_origin', (item) => {
    const url = item.length <= MAX_ORIGIN_LENGTH && URL.canParse(item) ? new URL(item) : null;
    const isOrigin = url && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href && !item.includes('*');
    return isOrigin && url.origin;
  });
  return [...new Set(origins)];
}

/**
 * Parses comma-separated media types and ranges into lowercase and removes duplicates; empty means all. Throws
 * `invalid_input` naming the invalid one.
 */
export function parseFileTypes(text: string): readonly string[] {
  const pattern = /^[a-z0-9!#$&^_.+-]+\/(?:[a-z0-9!#$&^_.+-]+|\*)$/;
  const types = parseItems(text, 'not_a_file_type', (item) => pattern.test(item.toLowerCase()) && item.toLowerCase());
  return [...new Set(types)];
}

const MAX_BLOCKED_WORDS = 500;

/**
 * Parses up to 500 comma-separated words or phrases of 3 to 100 characters into lowercase and removes duplicates.
 * Throws `invalid_input` naming the invalid one.
 */
export function parseBlockedWords(text: string): readonly string[] {
  const words = parseItems(text, 'invalid_blocked_word', (item) => {
    const word = normalize(item, 'NFKC').toLowerCase();
    return word.length >= 3 && word.length <= 100 && word;
  });
  requireAtMost(MAX_BLOCKED_WORDS, words, 'blocked words');
  return [...new Set(words)];
}

function requireAtMost(limit: number, { length }: readonly string[], nouns: string): void {
  if (length <= limit) return;
  throw invalidInput(`Too many ${nouns} (${length}). The limit is ${limit}.`, ['too_many_entries', limit]);
}

/** Parses the auto-reply subject. Throws `invalid_input` over 200 characters or with control characters. */
export function parseAutoReplySubject(text: string): string {
  const subject = textParser('The auto-reply subject', 200)(text);
  if (!/\p{Cc}/u.test(subject)) return subject;
  throw invalidInput('The auto-reply subject must be a single line.', ['several_lines']);
}

const MAX_SENDER_NAME = 100;

/** Parses the sender name. Throws `invalid_input` for a name that would need quotes or fold a header. */
export function parseSenderName(name: string): string {
  if ([...name].length <= MAX_SENDER_NAME && !/[\p{Cc}\p{Zl}\p{Zp}<>"@,;]/u.test(name)) return name;
  throw invalidInput(
    `The sender name must be one line of at most ${MAX_SENDER_NAME} characters without < > " @ , and ;.`,
    ['invalid_sender_name', MAX_SENDER_NAME],
  );
}

/** Parses the address for replies. Throws `invalid_input` otherwise. */
export function parseReplyTo(text: string): string {
  const address = parseAddress(text);
  if (address !== null) return address;
  throw invalidInput('The reply-to address must be one email address such as ada@example.com.', ['invalid_email']);
}

export const MAX_ADDRESSES = 20;

/** Parses up to 20 comma-separated email addresses and removes duplicates. Throws `invalid_input` naming the invalid one. */
export function parseAddresses(text: string): readonly string[] {
  const parsed = parseItems(text, 'not_an_email', parseAddress);
  const addresses = [...new Map(parsed.map((address) => [address.toLowerCase(), address])).values()];
  requireAtMost(MAX_ADDRESSES, addresses, 'addresses');
  return addresses;
}

/** Returns a parser of a text up to a length, which throws `invalid_input` above it. */
export function textParser(label: string, maxLength: number): (text: string) => string {
  return (text) => {
    if (text.length <= maxLength) return text;
    const message = `${label} must have at most ${maxLength} characters (got ${text.length}).`;
    throw invalidInput(message, ['text_too_long', maxLength]);
  };
}
