import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Micros } from '../../lib/clock.ts';
import { randomString } from '../../lib/ids.ts';
import { closed } from '../../lib/schema.ts';
import { invalidInput } from '../errors.ts';
import { MAX_PATTERN_INPUT_UNITS, patternError, patternSize } from '../fields/pattern.ts';
import { parseJson } from '../json-text.ts';
import type { WebhookRoute } from '../webhooks/webhook.ts';
import type { ChallengeKind } from './challenge.ts';
import type { RecipientConditions } from './condition.ts';
import { PLAIN_DEFAULTS, type PlainSettings } from './form-settings.ts';

export const FormField = closed({
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
  options: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 256, pattern: '^\\S(?:.*\\S)?$' }), {
      minItems: 1,
      maxItems: 200,
      uniqueItems: true,
      description: 'The values to choose from, for the types `select`, `radio` and `checkboxes`.',
    }),
  ),
  max: Type.Optional(
    Type.Integer({ minimum: 2, maximum: 10, description: 'The best rating, for the type `rating`. Default: 5.' }),
  ),
});

/** A configured field of a form, with its label and validation rules. */
export type FormField = Static<typeof FormField>;

/** Types of fields that take their values from `options`. */
export const CHOICE_TYPES: readonly string[] = ['select', 'radio', 'checkboxes'];

/** Default of `max`, the best rating. */
export const DEFAULT_MAX_RATING = 5;

/** Maximum number of fields, the same as in a submission. */
export const MAX_FORM_FIELDS = 1_000;

/** Limits of all fields of a form together: a hosted page shows them, and a post is checked against them. */
export const FIELD_LIMITS = { options: 2_000, kib: 64, patternInstructions: 2_000 } as const;

/** Returns the limit that the fields of a form exceed together; null if there is none. */
export function exceededLimit(fields: readonly FormField[]): keyof typeof FIELD_LIMITS | null {
  const options = fields.reduce((sum, field) => sum + (field.options?.length ?? 0), 0);
  if (options > FIELD_LIMITS.options) return 'options';
  if (Buffer.byteLength(JSON.stringify(fields)) > FIELD_LIMITS.kib * 1024) return 'kib';
  const instructions = fields.reduce((sum, { pattern }) => sum + (pattern ? patternSize(pattern) : 0), 0);
  return instructions > FIELD_LIMITS.patternInstructions ? 'patternInstructions' : null;
}

const EXCEEDED = {
  options: `they have more than ${FIELD_LIMITS.options} options in all. Remove some`,
  kib: `they take more than ${FIELD_LIMITS.kib} KiB. Remove some, or shorten labels and options`,
  patternInstructions: `their patterns compile to more than ${FIELD_LIMITS.patternInstructions} instructions in all. Remove or shorten some`,
} as const satisfies Record<keyof typeof FIELD_LIMITS, string>;

/** A form's settings: those of the table, and those with a shape of their own. */
export type FormSettings = PlainSettings &
  Readonly<{
    fields: readonly FormField[];
    notifyWhen: RecipientConditions;
    challenge: ChallengeKind | null;
    /** Null without a challenge and for `altcha`, like the secret, which is a sealed record. */
    challengeVerifyUrl: string | null;
    challengeSecret: Uint8Array | null;
  }>;

export const DEFAULT_SETTINGS: FormSettings = {
  ...PLAIN_DEFAULTS,
  fields: [],
  notifyWhen: {},
  challenge: null,
  challengeVerifyUrl: null,
  challengeSecret: null,
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
    /** Archived forms accept nothing and are hidden from lists; null if not archived. */
    archivedAt: Micros | null;
    /** Forms in the trash are deleted 30 days later; null outside of it. */
    trashedAt: Micros | null;
    createdAt: Micros;
  }>;

/** A logo: an image of at most `MAX_LOGO_BYTES` of one of `LOGO_TYPES`. */
export type FormLogo = Readonly<{ type: string; image: Uint8Array }>;

export const MAX_LOGO_BYTES = 64 * 1024;

export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

/** Changes to a form. Missing properties keep their value. */
export type FormChanges = Partial<FormSettings & Pick<Form, 'name' | 'isActive' | 'workspaceId' | 'archivedAt'>>;

/**
 * Generates a form's id, which sorts by creation time. It is in each submission's row and index, and therefore shorter
 * than other ids: milliseconds (45 bits), counter (12 bits) and random bits (23) of a UUID version 7 in base 32.
 */
export function newFormId(): string {
  const uuid = BigInt(`0x${Bun.randomUUIDv7('hex').replaceAll('-', '')}`);
  const digits = ((uuid >> 80n) << 35n) | (((uuid >> 64n) & 0xfffn) << 23n) | (uuid & 0x7fffffn);
  return `frm_${digits.toString(32).padStart(16, '0')}`;
}

/** Generates a short id: eight characters without the ambiguous 0, 1, i, l and o (8.5e11 ids). */
export function newShortId(): string {
  return randomString(8, '23456789abcdefghjkmnpqrstuvwxyz');
}

const EXAMPLE = '[{"name":"email","label":"Email","type":"email","required":true}]';

/**
 * Parses a form's fields from JSON: an array of `{name, label?, type?, required?, max_length?, pattern?, options?, max?}` in
 * display order. Defaults are the name as label, type `text` and `required` false. Throws `invalid_input` naming the
 * invalid entry.
 */
export function parseFields(text: string): readonly FormField[] {
  const refuse = (problem: string) => invalidInput(`Invalid fields: ${problem}. Use JSON such as ${EXAMPLE}.`);
  const list = parseJson(text, () => refuse('not JSON'));
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
  for (const [index, field] of fields.entries()) {
    const problem = getProblem(field, `entry ${index + 1}`);
    if (problem) throw invalidInput(`Invalid fields: ${problem}.`);
  }
  const exceeded = exceededLimit(fields);
  if (exceeded) throw invalidInput(`Invalid fields: ${EXCEEDED[exceeded]}.`);
  return fields;
}

/** Returns the problem of a field that matches the schema; null if it is valid. */
function getProblem({ type, pattern, options, max }: FormField, entry: string): string | null {
  const error = pattern === undefined ? null : patternError(pattern);
  if (error) return `the pattern of ${entry} ${error}`;
  const isChoice = CHOICE_TYPES.includes(type);
  if (isChoice && options === undefined) return `${entry} has the type "${type}" and needs "options"`;
  if (!isChoice && options !== undefined) return `${entry} has "options", but not the type ${CHOICE_TYPES.join(', ')}`;
  if (type !== 'rating' && max !== undefined) return `${entry} has "max", but not the type rating`;
  return null;
}
