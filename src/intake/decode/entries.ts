import { AppError } from '../../domain/errors.ts';
import { type Payload, type PayloadValue, SUBMISSION_LIMITS } from '../../domain/submissions/submission.ts';

/** A text field; names may repeat. */
export type TextEntry = readonly [name: string, value: string];

/** Throws `too_many_fields` over the limit. Decoders call it before they process a field. */
export function refuseTooManyFields(count: number): void {
  const limit = SUBMISSION_LIMITS.fields;
  if (count > limit) throw new AppError('too_many_fields', `The form has more than ${limit} fields.`, { limit });
}

/** Throws `name_too_long` over the limit. */
export function refuseLongName(name: string): void {
  const limit = SUBMISSION_LIMITS.nameBytes;
  if (isLongerThan(limit, name)) {
    throw new AppError('name_too_long', `A field name is longer than ${limit} bytes.`, { limit });
  }
}

/** Throws `value_too_long` over the limit. */
export function refuseLongValue(name: string, value: string): void {
  if (isLongerThan(SUBMISSION_LIMITS.valueBytes, value)) throw valueTooLong(name);
}

/** Returns whether a text has more UTF-8 bytes. A UTF-16 unit has at most three, so short texts aren't counted. */
export function isLongerThan(bytes: number, text: string): boolean {
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}

/** Returns the refusal of a value over the limit. */
export function valueTooLong(name: string): AppError {
  const limit = SUBMISSION_LIMITS.valueBytes / 1024;
  return new AppError('value_too_long', `The field "${name}" is longer than ${limit} kB.`, {
    errors: [{ field: name, code: 'too_long', limit }],
  });
}

/**
 * Merges entries into a payload, in order of first occurrence. A repeated name becomes an array; a name that ends in
 * `[]` loses the suffix and is always an array. No name is special, not even `__proto__`.
 */
export function toPayload(entries: ReadonlyArray<readonly [name: string, value: PayloadValue]>): Payload {
  const lists = new Map<string, PayloadValue[]>();
  const arrayNames = new Set<string>();
  for (const [rawName, value] of entries) {
    const isList = rawName.endsWith('[]');
    const name = isList ? rawName.slice(0, -2) : rawName;
    if (isList) arrayNames.add(name);
    const values = lists.get(name);
    const added = isList && Array.isArray(value) ? value : [value];
    if (values) values.push(...added);
    else lists.set(name, [...added]);
  }
  return Array.from(lists, ([name, values]) => {
    const [only] = values;
    return [name, values.length === 1 && only !== undefined && !arrayNames.has(name) ? only : values];
  });
}
