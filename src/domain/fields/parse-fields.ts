import { Value } from '@sinclair/typebox/value';
import { invalidInput } from '../errors.ts';
import { parseJson } from '../json-text.ts';
import type { FormField } from './field-type.ts';
import { FieldSchema, getFieldType, namesWith } from './field-types.ts';
import { patternError, patternSize } from './pattern.ts';

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

const EXAMPLE = '[{"name":"email","label":"Email","type":"email","required":true}]';

/**
 * Parses a form's fields from JSON: an array of `FormField` in display order, with the name required. Defaults are the name as
 * label, type `text` and `required` false. Throws `invalid_input` naming the invalid entry.
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
    if (Value.Check(FieldSchema, field)) return field;
    const error = Value.Errors(FieldSchema, field).First();
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
function getProblem(field: FormField, entry: string): string | null {
  const { type, pattern, options, max } = field;
  const error = pattern && patternError(pattern);
  if (error) return `the pattern of ${entry} ${error}`;
  const { setting } = getFieldType(field);
  if (setting === 'options' && options === undefined) return `${entry} has the type "${type}" and needs "options"`;
  const alien = (['options', 'max'] as const).find((name) => name !== setting && { options, max }[name] !== undefined);
  return alien ? `${entry} has "${alien}", but not the type ${namesWith(alien).join(', ')}` : null;
}
