import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Micros } from '../lib/clock.ts';
import { randomString } from '../lib/ids.ts';
import { normalize } from '../lib/normalize';
import type { ChallengeKind } from './challenge.ts';
import { AppError } from './errors.ts';
import { MAX_PATTERN_INPUT_UNITS, patternError } from './pattern.ts';

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
        description: 'In UTF-16 units, a line break as one, as HTML counts for `maxlength`.',
      }),
    ),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description:
          'What each whole value has to match, in RE2 syntax. Values that together have more than ' +
          `${MAX_PATTERN_INPUT_UNITS} UTF-16 units never do.`,
      }),
    ),
  },
  { additionalProperties: false },
);

/** One field as the owner configured it: shown by the API and used to label what arrives. */
export type FormField = Static<typeof FormField>;

/** As many as one submission may have. */
export const MAX_FORM_FIELDS = 1_000;

export const DIGEST_INTERVALS = ['hourly', 'daily'] as const;

/** How often one mail sums up what came in, in place of one for each. */
export type DigestInterval = (typeof DIGEST_INTERVALS)[number];

/** What the owner decides about a form. An empty list allows all. */
export type FormSettings = Readonly<{
  /** http or https. */
  redirectUrl: string | null;
  fields: readonly FormField[];
  /** Whether a post that does not fit the fields is refused. */
  enforcesRules: boolean;
  /** As browsers write them: `https://example.com`. */
  allowedOrigins: readonly string[];
  /** Media types such as `image/png`, or ranges such as `image/*`; in small letters. */
  allowedFileTypes: readonly string[];
  /** Shown to a visitor in place of the page's own words. */
  thanksTitle: string | null;
  thanksText: string | null;
  challenge: ChallengeKind | null;
  /** Null where there is no challenge, or it is `altcha`; so is the secret, which is a sealed record. */
  challengeVerifyUrl: string | null;
  challengeSecret: Uint8Array | null;
  /** In small letters. */
  blockedWords: readonly string[];
  /** Who gets a mail of each submission. */
  notify: readonly string[];
  /** Whether those mails carry the files. */
  attachFiles: boolean;
  /** Whether mail programs are to show those mails as one conversation. */
  threadMails: boolean;
  /** What the visitor gets as an answer; null for nothing. `{{name}}` stands for the field of that name. */
  autoReplySubject: string | null;
  autoReplyText: string | null;
  /** Null for a mail of each submission. */
  digest: DigestInterval | null;
  /** In which hours and days are counted: an IANA name such as `Europe/Berlin`. */
  timeZone: string;
  /** After how many days submissions are deleted; null for what the instance does. */
  retentionDays: number | null;
}>;

/** A hundred years. */
export const MAX_RETENTION_DAYS = 36_500;

/** Days as a whole number from 1 to 36,500. Throws `invalid_input` otherwise. */
export function parseRetentionDays(text: string): number {
  const days = Number(text);
  if (/^\d+$/.test(text) && days >= 1 && days <= MAX_RETENTION_DAYS) return days;
  throw new AppError(
    'invalid_input',
    `${JSON.stringify(text)} is no number of days; it takes a whole number from 1 to ${MAX_RETENTION_DAYS}.`,
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

/** What takes submissions. `shortId` may stand for `id` in the public endpoint. */
export type Form = FormSettings &
  Readonly<{
    id: string;
    shortId: string;
    workspaceId: string;
    name: string;
    isActive: boolean;
    createdAt: Micros;
  }>;

/** What of a form can be changed; a missing property stays as it is. */
export type FormChanges = Partial<FormSettings & Pick<Form, 'name' | 'isActive'>>;

/** Eight characters from an alphabet without 0, 1, I, L, O and their small letters: 8.5e11 ids. */
export function newShortId(): string {
  return randomString(8, '23456789abcdefghjkmnpqrstuvwxyz');
}

/**
 * An absolute http or https address, as `URL` writes it, at most 2,000 characters. Throws `invalid_input` otherwise.
 */
export function parseRedirectUrl(text: string): string {
  // Before it is parsed: that takes seconds for a host of many marks.
  const url = text.length <= 2_000 && URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password || url.href.length > 2_000) {
    throw new AppError(
      'invalid_input',
      'redirect URL is not usable; it takes an absolute http or https address such as https://example.com/thanks.',
    );
  }
  return url.href;
}

/** A host has at most 253 characters. */
const MAX_ORIGIN_LENGTH = 300;

/**
 * Origins with commas between, each once and as browsers write them; empty for all. Throws `invalid_input`, naming the
 * one at fault.
 */
export function parseOrigins(text: string): readonly string[] {
  const origins = splitList(text).map((item) => {
    const url = item.length <= MAX_ORIGIN_LENGTH && URL.canParse(item) ? new URL(item) : null;
    const isOrigin = url && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href && !item.includes('*');
    if (isOrigin) return url.origin;
    throw new AppError(
      'invalid_input',
      `allowed origin ${JSON.stringify(item)} is not usable; it takes scheme and host without a path, such as https://example.com, with commas between.`,
    );
  });
  return [...new Set(origins)];
}

/**
 * Media types and ranges with commas between, each once, in small letters; empty for all. Throws `invalid_input`,
 * naming the one at fault.
 */
export function parseFileTypes(text: string): readonly string[] {
  const types = splitList(text).map((item) => {
    const type = item.toLowerCase();
    if (/^[a-z0-9!#$&^_.+-]+\/(?:[a-z0-9!#$&^_.+-]+|\*)$/.test(type)) return type;
    throw new AppError(
      'invalid_input',
      `allowed file type ${JSON.stringify(item)} is not usable; it takes media types such as image/*,application/pdf with commas between.`,
    );
  });
  return [...new Set(types)];
}

/**
 * Words or phrases with commas between, each once, in small letters, of 3 to 100 characters and at most 500 of them. Throws
 * `invalid_input`, naming the one at fault.
 */
export function parseBlockedWords(text: string): readonly string[] {
  const words = splitList(text).map((item) => {
    const word = normalize(item, 'NFKC').toLowerCase();
    if (word.length >= 3 && word.length <= 100) return word;
    throw new AppError(
      'invalid_input',
      `blocked word ${JSON.stringify(item)} is not usable; it takes 3 to 100 characters.`,
    );
  });
  if (words.length > 500) throw new AppError('invalid_input', `there are ${words.length} blocked words; it takes 500.`);
  return [...new Set(words)];
}

/** A title of at most 200 characters, trimmed; null for none. Throws `invalid_input` for a longer one. */
export function parseThanksTitle(text: string): string | null {
  return parseText('thanks title', text, 200);
}

/** A text of at most 2,000 characters, trimmed; null for none. Throws `invalid_input` for a longer one. */
export function parseThanksText(text: string): string | null {
  return parseText('thanks text', text, 2_000);
}

/** A subject of at most 200 characters on one line, trimmed; null for none. Throws `invalid_input` for another. */
export function parseAutoReplySubject(text: string): string | null {
  const subject = parseText('auto-reply subject', text, 200);
  if (subject === null || !/\p{Cc}/u.test(subject)) return subject;
  throw new AppError('invalid_input', 'auto-reply subject has a line break; it takes one line.');
}

/** A text of at most 5,000 characters, trimmed; null for none. Throws `invalid_input` for a longer one. */
export function parseAutoReplyText(text: string): string | null {
  return parseText('auto-reply text', text, 5_000);
}

function parseText(label: string, text: string, maxLength: number): string | null {
  const trimmed = text.trim();
  if (trimmed.length <= maxLength) return trimmed || null;
  throw new AppError('invalid_input', `${label} has ${trimmed.length} characters; it takes at most ${maxLength}.`);
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}

const EXAMPLE = '[{"name":"email","label":"E-mail","type":"email","required":true}]';

/**
 * The field configuration as JSON text: an array of `{name, label?, type?, required?, max_length?, pattern?}` in
 * display order. A missing label is the name, a missing type `text`, a missing required `false`. Throws `invalid_input`,
 * naming the entry at fault.
 */
export function parseFields(text: string): readonly FormField[] {
  const refuse = (label: string) => new AppError('invalid_input', `fields ${label}; it takes JSON such as ${EXAMPLE}.`);
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw refuse('is not JSON');
  }
  if (!Array.isArray(list)) throw refuse('is not a JSON array');
  if (list.length > MAX_FORM_FIELDS) throw refuse(`has ${list.length} entries, more than ${MAX_FORM_FIELDS}`);
  const fields = list.map((item: unknown, index) => {
    const field =
      item && typeof item === 'object' && 'name' in item
        ? { label: item.name, type: 'text', required: false, ...item }
        : item;
    if (Value.Check(FormField, field)) return field;
    const error = Value.Errors(FormField, field).First();
    throw refuse(`has an entry ${index + 1} that does not fit (${error?.path || 'the whole'}: ${error?.message})`);
  });
  if (new Set(fields.map(({ name }) => name)).size < fields.length) throw refuse('has the same name twice');
  for (const [index, { pattern }] of fields.entries()) {
    const flaw = pattern === undefined ? null : patternError(pattern);
    if (flaw) throw new AppError('invalid_input', `fields has an entry ${index + 1} whose pattern ${flaw}.`);
  }
  return fields;
}
