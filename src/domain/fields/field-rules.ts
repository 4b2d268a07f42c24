import type { FieldError, FieldErrorCode } from '../errors.ts';
import type { PayloadValue } from '../submissions/submission.ts';
import type { FormField } from './field-type.ts';
import { getFieldType, type NamedType } from './field-types.ts';
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
  const type = getFieldType(field);
  const code = fieldErrorCode(field, type, filledValues(value), hasFile, budget);
  if (code === null) return null;
  const limit = code === type.error ? type.limit?.(field) : code === 'max_length' ? field.max_length : undefined;
  return { field: name, ...(label !== '' && { label }), code, ...(limit !== undefined && { limit }) };
}

function fieldErrorCode(
  field: FormField,
  type: NamedType,
  values: readonly PayloadValue[],
  hasFile: boolean,
  budget: MatchBudget,
): FieldErrorCode | null {
  const { required, max_length: limit, pattern } = field;
  if (required && type.required?.isMet(values) === false) return type.required.error;
  if (values.length === 0) return required && !hasFile ? 'required' : null;
  const texts: string[] = [];
  for (const value of values) {
    const text = String(value);
    if (typeof value === 'object' || type.isValid?.(text, value, field) === false) return type.error;
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

/** Returns the length that HTML compares with `maxlength`: UTF-16 units, with CRLF counted as one. */
const htmlLength = (text: string): number => text.length - (text.split('\r\n').length - 1);
