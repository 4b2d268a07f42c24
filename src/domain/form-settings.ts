import { normalize } from '../lib/normalize.ts';
import { parseColor } from './accent-color.ts';
import { parseAddress, parseAddresses } from './email-address.ts';
import { AppError } from './errors.ts';
import { DIGEST_INTERVALS, type FormChanges, MAX_RETENTION_DAYS } from './form.ts';
import { MAYBE_SPAM_ACTIONS } from './spam.ts';
import { parseName } from './team.ts';
import { parseTimeZone } from './time-zone.ts';

/** Parsers of the settings that are entered as text. */
const PARSERS = {
  name: parseName,
  redirectUrl: (text) => (text === '' ? null : parseRedirectUrl(text)),
  thanksTitle: (text) => parseText('The thanks title', text, 200),
  thanksText: (text) => parseText('The thanks text', text, 2_000),
  allowedOrigins: parseOrigins,
  allowedFileTypes: parseFileTypes,
  blockedWords: parseBlockedWords,
  maybeSpamAction: (text) => MAYBE_SPAM_ACTIONS.find((action) => action === text) ?? 'deliver',
  notify: parseAddresses,
  autoReplySubject: parseAutoReplySubject,
  autoReplyText: (text) => parseText('The auto-reply text', text, 5_000),
  digest: (text) => DIGEST_INTERVALS.find((interval) => interval === text) ?? null,
  timeZone: parseTimeZone,
  retentionDays: (text) => (text === 'none' ? null : parseRetentionDays(text)),
  publicName: (text) => (text.trim() === '' ? null : parseName(text)),
  accentColor: (text) => (text.trim() === '' ? null : parseColor(text.trim())),
  closedText: (text) => parseText('The text for a closed form', text, 2_000),
  senderName: parseSenderName,
  replyTo: (text) => (text.trim() === '' ? null : parseReplyTo(text.trim())),
} as const satisfies { [Name in keyof FormChanges]: (text: string) => FormChanges[Name] };

export type TextSetting = keyof typeof PARSERS;

export const TEXT_SETTINGS = Object.keys(PARSERS) as TextSetting[];

/** Parses a setting from text; `none` or an empty text unsets it. Throws `invalid_input` for an invalid value. */
export function parseSetting(name: TextSetting, text: string): FormChanges {
  return { [name]: PARSERS[name](text) };
}

/** Parses a retention of 1 to 36,500 days. Throws `invalid_input` otherwise. */
function parseRetentionDays(text: string): number {
  const days = Number(text);
  if (/^\d+$/.test(text) && days >= 1 && days <= MAX_RETENTION_DAYS) return days;
  throw new AppError(
    'invalid_input',
    `The retention must be a whole number of days from 1 to ${MAX_RETENTION_DAYS} (got ${JSON.stringify(text)}).`,
    { reason: ['invalid_retention', MAX_RETENTION_DAYS] },
  );
}

/**
 * Parses an absolute http or https URL of at most 2,000 characters and normalizes it. Throws `invalid_input` otherwise.
 */
function parseRedirectUrl(text: string): string {
  // Check the length before parsing: `URL` takes seconds for a long host of combining marks.
  const url = text.length <= 2_000 && URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.href.length > 2_000) {
    throw new AppError(
      'invalid_input',
      'The redirect URL must be an absolute http or https URL such as https://example.com/thanks.',
      { reason: ['invalid_redirect_url'] },
    );
  }
  return url.href;
}

/** Length limit before parsing; a host name has at most 253 characters. */
const MAX_ORIGIN_LENGTH = 300;

/**
 * Parses comma-separated origins and removes duplicates; empty means all. Throws `invalid_input` naming the invalid
 * one.
 */
function parseOrigins(text: string): readonly string[] {
  const origins = splitList(text).map((item) => {
    const url = item.length <= MAX_ORIGIN_LENGTH && URL.canParse(item) ? new URL(item) : null;
    const isOrigin = url && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href && !item.includes('*');
    if (isOrigin) return url.origin;
    throw new AppError(
      'invalid_input',
      `The allowed origin ${JSON.stringify(item)} is invalid. Use scheme and host without a path, such as ` +
        'https://example.com, separated by commas.',
      { reason: ['not_an_origin', item] },
    );
  });
  return [...new Set(origins)];
}

/**
 * Parses comma-separated media types and ranges into lowercase and removes duplicates; empty means all. Throws
 * `invalid_input` naming the invalid one.
 */
function parseFileTypes(text: string): readonly string[] {
  const types = splitList(text).map((item) => {
    const type = item.toLowerCase();
    if (/^[a-z0-9!#$&^_.+-]+\/(?:[a-z0-9!#$&^_.+-]+|\*)$/.test(type)) return type;
    throw new AppError(
      'invalid_input',
      `The allowed file type ${JSON.stringify(item)} is invalid. Use media types such as image/*,application/pdf, ` +
        'separated by commas.',
      { reason: ['not_a_file_type', item] },
    );
  });
  return [...new Set(types)];
}

const MAX_BLOCKED_WORDS = 500;

/**
 * Parses up to 500 comma-separated words or phrases of 3 to 100 characters into lowercase and removes duplicates.
 * Throws `invalid_input` naming the invalid one.
 */
function parseBlockedWords(text: string): readonly string[] {
  const words = splitList(text).map((item) => {
    const word = normalize(item, 'NFKC').toLowerCase();
    if (word.length >= 3 && word.length <= 100) return word;
    throw new AppError(
      'invalid_input',
      `The blocked word ${JSON.stringify(item)} is invalid. Use 3 to 100 characters.`,
      { reason: ['invalid_blocked_word', item] },
    );
  });
  if (words.length > MAX_BLOCKED_WORDS) {
    throw new AppError(
      'invalid_input',
      `Too many blocked words (${words.length}). The limit is ${MAX_BLOCKED_WORDS}.`,
      { reason: ['too_many_entries', MAX_BLOCKED_WORDS] },
    );
  }
  return [...new Set(words)];
}

/**
 * Trims the auto-reply subject; null if empty. Throws `invalid_input` over 200 characters or with control characters.
 */
function parseAutoReplySubject(text: string): string | null {
  const subject = parseText('The auto-reply subject', text, 200);
  if (subject === null || !/\p{Cc}/u.test(subject)) return subject;
  throw new AppError('invalid_input', 'The auto-reply subject must be a single line.', { reason: ['several_lines'] });
}

const MAX_SENDER_NAME = 100;

/** Trims the sender name; null if empty. Throws `invalid_input` for a name that would need quotes or fold a header. */
function parseSenderName(text: string): string | null {
  const name = text.trim();
  if ([...name].length <= MAX_SENDER_NAME && !/[\p{Cc}\p{Zl}\p{Zp}<>"@,;]/u.test(name)) return name || null;
  throw new AppError(
    'invalid_input',
    `The sender name must be one line of at most ${MAX_SENDER_NAME} characters without < > " @ , and ;.`,
    { reason: ['invalid_sender_name', MAX_SENDER_NAME] },
  );
}

function parseReplyTo(text: string): string {
  const address = parseAddress(text);
  if (address !== null) return address;
  throw new AppError('invalid_input', 'The reply-to address must be one email address such as ada@example.com.', {
    reason: ['invalid_email'],
  });
}

/** Trims a text; null if empty. Throws `invalid_input` over the maximum length. */
function parseText(label: string, text: string, maxLength: number): string | null {
  const trimmed = text.trim();
  if (trimmed.length <= maxLength) return trimmed || null;
  throw new AppError('invalid_input', `${label} must have at most ${maxLength} characters (got ${trimmed.length}).`, {
    reason: ['text_too_long', maxLength],
  });
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}
