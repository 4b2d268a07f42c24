import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Micros } from '../lib/clock.ts';
import { randomString } from '../lib/ids.ts';
import { normalize } from '../lib/normalize.ts';
import type { ChallengeKind } from './challenge.ts';
import { AppError } from './errors.ts';
import { MAX_PATTERN_INPUT_UNITS, patternError } from './pattern.ts';
import type { WebhookRoute } from './webhook.ts';

export const FormField = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 256 }),
    label: Type.String({ maxLength: 256 }),
    type: Type.String({ minLength: 1, maxLength: 32, pattern: '^[a-z][a-z0-9_-]*$' }),
    required: Type.Boolean(),
    max_length: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 262_144,
        description: 'In UTF-16 units, with a line break counted as one, like `maxlength` in HTML.',
      }),
    ),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description:
          'RE2 pattern that each whole value must match. Values with more than ' +
          `${MAX_PATTERN_INPUT_UNITS} UTF-16 units in total never match.`,
      }),
    ),
  },
  { additionalProperties: false },
);

/** A configured field of a form, with its label and validation rules. */
export type FormField = Static<typeof FormField>;

/** Maximum number of fields, the same as in a submission. */
export const MAX_FORM_FIELDS = 1_000;

export const DIGEST_INTERVALS = ['hourly', 'daily'] as const;

/** Interval of digest mails, which replace a notification per submission. */
export type DigestInterval = (typeof DIGEST_INTERVALS)[number];

/** A form's settings. An empty allowlist permits everything. */
export type FormSettings = Readonly<{
  /** An http or https URL. */
  redirectUrl: string | null;
  fields: readonly FormField[];
  /** Rejects submissions that violate the rules of `fields`. */
  enforcesRules: boolean;
  /** Serialized origins such as `https://example.com`. */
  allowedOrigins: readonly string[];
  /** Media types such as `image/png` or ranges such as `image/*`, in lowercase. */
  allowedFileTypes: readonly string[];
  /** Custom texts of the confirmation page; null for the default ones. */
  thanksTitle: string | null;
  thanksText: string | null;
  challenge: ChallengeKind | null;
  /** Null without a challenge and for `altcha`, like the secret, which is a sealed record. */
  challengeVerifyUrl: string | null;
  challengeSecret: Uint8Array | null;
  /** Words and phrases in lowercase. */
  blockedWords: readonly string[];
  /** Recipients of notifications. */
  notify: readonly string[];
  /** Attaches uploaded files to notifications. */
  attachFiles: boolean;
  /** Makes mail clients group a form's notifications into one thread. */
  threadMails: boolean;
  /** Auto-reply to the visitor, null for none. `{{name}}` is replaced by the field of that name. */
  autoReplySubject: string | null;
  autoReplyText: string | null;
  /** Null for a notification per submission. */
  digest: DigestInterval | null;
  /** IANA time zone of digests, such as `Europe/Berlin`. */
  timeZone: string;
  /** Age in days at which submissions are deleted; null for the instance's default. */
  retentionDays: number | null;
}>;

/** Longest retention: about a hundred years. */
export const MAX_RETENTION_DAYS = 36_500;

/** Parses a retention of 1 to 36,500 days. Throws `invalid_input` otherwise. */
export function parseRetentionDays(text: string): number {
  const days = Number(text);
  if (/^\d+$/.test(text) && days >= 1 && days <= MAX_RETENTION_DAYS) return days;
  throw new AppError(
    'invalid_input',
    `The retention must be a whole number of days from 1 to ${MAX_RETENTION_DAYS} (got ${JSON.stringify(text)}).`,
    { reason: ['invalid_retention', MAX_RETENTION_DAYS] },
  );
}

export const DEFAULT_SETTINGS: FormSettings = {
  redirectUrl: null,
  fields: [],
  enforcesRules: false,
  allowedOrigins: [],
  allowedFileTypes: [],
  thanksTitle: null,
  thanksText: null,
  challenge: null,
  challengeVerifyUrl: null,
  challengeSecret: null,
  blockedWords: [],
  notify: [],
  attachFiles: false,
  threadMails: false,
  autoReplySubject: null,
  autoReplyText: null,
  digest: null,
  timeZone: 'UTC',
  retentionDays: null,
};

/** A form. The public endpoint accepts `shortId` in place of `id`. */
export type Form = FormSettings &
  Readonly<{
    id: string;
    shortId: string;
    workspaceId: string;
    name: string;
    isActive: boolean;
    /** Routes of the form's webhooks. */
    webhookRoutes: readonly WebhookRoute[];
    createdAt: Micros;
  }>;

/** Changes to a form. Missing properties keep their value. */
export type FormChanges = Partial<FormSettings & Pick<Form, 'name' | 'isActive'>>;

/** Generates a short id: eight characters without the ambiguous 0, 1, i, l and o (8.5e11 ids). */
export function newShortId(): string {
  return randomString(8, '23456789abcdefghjkmnpqrstuvwxyz');
}

/**
 * Parses an absolute http or https URL of at most 2,000 characters and normalizes it. Throws `invalid_input` otherwise.
 */
export function parseRedirectUrl(text: string): string {
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
export function parseOrigins(text: string): readonly string[] {
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
export function parseFileTypes(text: string): readonly string[] {
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
export function parseBlockedWords(text: string): readonly string[] {
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

/** Trims the title of the confirmation page; null if empty. Throws `invalid_input` over 200 characters. */
export function parseThanksTitle(text: string): string | null {
  return parseText('The thanks title', text, 200);
}

/** Trims the text of the confirmation page; null if empty. Throws `invalid_input` over 2,000 characters. */
export function parseThanksText(text: string): string | null {
  return parseText('The thanks text', text, 2_000);
}

/**
 * Trims the auto-reply subject; null if empty. Throws `invalid_input` over 200 characters or with control characters.
 */
export function parseAutoReplySubject(text: string): string | null {
  const subject = parseText('The auto-reply subject', text, 200);
  if (subject === null || !/\p{Cc}/u.test(subject)) return subject;
  throw new AppError('invalid_input', 'The auto-reply subject must be a single line.', { reason: ['several_lines'] });
}

/** Trims the auto-reply text; null if empty. Throws `invalid_input` over 5,000 characters. */
export function parseAutoReplyText(text: string): string | null {
  return parseText('The auto-reply text', text, 5_000);
}

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

const EXAMPLE = '[{"name":"email","label":"Email","type":"email","required":true}]';

/**
 * Parses a form's fields from JSON: an array of `{name, label?, type?, required?, max_length?, pattern?}` in display
 * order. Defaults are the name as label, type `text` and `required` false. Throws `invalid_input` naming the invalid
 * entry.
 */
export function parseFields(text: string): readonly FormField[] {
  const refuse = (problem: string) =>
    new AppError('invalid_input', `Invalid fields: ${problem}. Use JSON such as ${EXAMPLE}.`);
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw refuse('not JSON');
  }
  if (!Array.isArray(list)) throw refuse('not a JSON array');
  if (list.length > MAX_FORM_FIELDS) throw refuse(`${list.length} entries, the limit is ${MAX_FORM_FIELDS}`);
  const fields = list.map((item: unknown, index) => {
    const field =
      item && typeof item === 'object' && 'name' in item
        ? { label: item.name, type: 'text', required: false, ...item }
        : item;
    if (Value.Check(FormField, field)) return field;
    const error = Value.Errors(FormField, field).First();
    const where = error?.path ? `${error.path}: ` : '';
    throw refuse(`entry ${index + 1} is invalid (${where}${error?.message})`);
  });
  if (new Set(fields.map(({ name }) => name)).size < fields.length) throw refuse('two entries have the same name');
  for (const [index, { pattern }] of fields.entries()) {
    const error = pattern === undefined ? null : patternError(pattern);
    if (error) throw new AppError('invalid_input', `Invalid fields: the pattern of entry ${index + 1} ${error}.`);
  }
  return fields;
}
