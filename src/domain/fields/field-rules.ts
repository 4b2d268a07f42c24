import type { FieldError, FieldErrorCode } from '../errors.ts';
import { DEFAULT_MAX_RATING, type FormField } from '../forms/form.ts';
import { isEmailAddress } from '../mail/email-address.ts';
import type { PayloadValue } from '../submissions/submission.ts';
import { isChecked, isRating } from './field-display.ts';
import { MatchBudget, matchesPattern } from './pattern.ts';

/**
 * Validates a field's submitted value; returns null if valid. `value` is undefined if the field was not submitted; each
 * of several values must be valid, and an empty one violates only `required`. Unknown types accept any text, and JSON
 * numbers and booleans are validated as text. `budget` is that of the post.
 */
export function validateField(
  field: FormField,
  value: PayloadValue | undefined,
  hasFile: boolean,
  budget = new MatchBudget(),
): FieldError | null {
  const { name, label } = field;
  const code = fieldErrorCode(field, filledValues(value), hasFile, budget);
  if (code === null) return null;
  const limit = code === 'rating' ? maxRating(field) : code === 'max_length' ? field.max_length : undefined;
  return {
    field: name,
    ...(label !== '' && { label }),
    code,
    ...(limit !== undefined && { limit }),
  };
}

function fieldErrorCode(
  field: FormField,
  values: readonly PayloadValue[],
  hasFile: boolean,
  budget: MatchBudget,
): FieldErrorCode | null {
  const { type, required, max_length: limit, pattern } = field;
  if (type === 'consent' && required && !values.some((value) => isChecked(value) !== false)) return 'consent';
  if (values.length === 0 && !hasFile) return required ? 'required' : null;
  if (type === 'file') return values.length === 0 ? null : 'file';
  const { error, isValid } = TYPE_RULES.get(type) ?? ANY_TEXT;
  const texts: string[] = [];
  for (const value of values) {
    const text = toText(value);
    if (text === null || !isValid(text, value, field)) return error;
    texts.push(text);
  }
  if (limit !== undefined && texts.some((text) => htmlLength(text) > limit)) return 'max_length';
  if (pattern !== undefined && !(budget.take(texts) && matchesPattern(pattern, texts))) return 'pattern';
  return null;
}

function filledValues(value: PayloadValue | undefined): readonly PayloadValue[] {
  if (value === undefined) return [];
  const values: readonly PayloadValue[] = Array.isArray(value) ? value : [value];
  return values.filter((item) => !isEmpty(item));
}

function isEmpty(value: PayloadValue): boolean {
  return value === '' || value === null || value === false || (Array.isArray(value) && value.every(isEmpty));
}

function toText(value: PayloadValue): string | null {
  return typeof value === 'object' ? null : String(value);
}

/** Returns the length that HTML compares with `maxlength`: UTF-16 units, with CRLF counted as one. */
function htmlLength(text: string): number {
  return text.length - (text.split('\r\n').length - 1);
}

type TypeRule = Readonly<{
  error: FieldErrorCode;
  isValid: (text: string, value: PayloadValue, field: FormField) => boolean;
}>;

const ANY_TEXT: TypeRule = { error: 'text', isValid: () => true };

/** WHATWG HTML, "valid floating-point number". */
const NUMBER = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * RE2 and HTML pattern of a phone number: 5 to 20 digits of any script, with spaces, dashes, brackets, dots, slashes
 * and plus signs. Numbers copied from address books may contain invisible characters.
 */
export const PHONE_PATTERN = String.raw`(?:[\p{Z}\p{Pd}\p{Ps}\p{Pe}\p{Cf}+.\/]*\p{Nd}){5,20}[\p{Z}\p{Pe}\p{Cf}.]*`;

const PHONE: TypeRule = { error: 'phone', isValid: (text) => matchesPattern(PHONE_PATTERN, [text]) };

const CHECKBOX: TypeRule = { error: 'checkbox', isValid: (_text, value) => typeof value !== 'number' };

/** Accepts any text for a field without options, as forms of earlier versions may have. */
const CHOICE: TypeRule = { error: 'option', isValid: (text, _value, { options }) => options?.includes(text) ?? true };

const TYPE_RULES: ReadonlyMap<string, TypeRule> = new Map<string, TypeRule>([
  ['email', { error: 'email', isValid: (text) => isEmailAddress(text) }],
  ['number', { error: 'number', isValid: (text) => NUMBER.test(text) }],
  ['url', { error: 'url', isValid: isUrl }],
  ['date', { error: 'date', isValid: isDate }],
  ['checkbox', CHECKBOX],
  ['consent', CHECKBOX],
  ['select', CHOICE],
  ['radio', CHOICE],
  ['checkboxes', CHOICE],
  ['rating', { error: 'rating', isValid: (_text, value, field) => isRating(value, maxRating(field)) }],
  ['phone', PHONE],
  ['tel', PHONE],
]);

function maxRating({ max = DEFAULT_MAX_RATING }: FormField): number {
  return max;
}

/** The host of a special-scheme URL with its user info; only such hosts are converted to Punycode. */
const HOST = /^[^a-z]*(?:https?|wss?|ftp|file):[/\\]*([^/\\?#]*)/i;
/** Longest host in UTF-16 units: parsing one of 250,000 combining marks takes a minute. */
const MAX_HOST_LENGTH = 300;

function isUrl(text: string): boolean {
  const [, host = ''] = HOST.exec(text.replace(/[\t\n\r]/g, '')) ?? [];
  return host.length <= MAX_HOST_LENGTH && URL.canParse(text);
}

/** Reports whether the text is a valid Gregorian date as `YYYY-MM-DD`, from the year 1. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
