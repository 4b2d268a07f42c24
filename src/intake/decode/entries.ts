import { AppError } from '../../domain/errors.ts';
import { type Payload, type PayloadValue, SUBMISSION_LIMITS } from '../../domain/submission.ts';

/** What a text form sends: names may repeat, values are text. */
export type TextEntry = readonly [name: string, value: string];

/** Throws once there are more fields than are taken; called before anything is done for the next one. */
export function refuseTooManyFields(count: number): void {
  if (count > SUBMISSION_LIMITS.fields) {
    throw new AppError('too_many_fields', `The form has more than ${SUBMISSION_LIMITS.fields} fields.`);
  }
}

/** Throws unless the name is short enough. */
export function refuseLongName(name: string): void {
  if (isLongerThan(SUBMISSION_LIMITS.nameBytes, name)) {
    throw new AppError('name_too_long', `A field's name is longer than ${SUBMISSION_LIMITS.nameBytes} bytes.`);
  }
}

/** Throws, naming the field, unless the value is short enough. */
export function refuseLongValue(name: string, value: string): void {
  if (isLongerThan(SUBMISSION_LIMITS.valueBytes, value)) throw valueTooLong(name);
}

/** Whether a text takes more bytes of UTF-8. A UTF-16 unit takes at most three, so short ones need no counting. */
export function isLongerThan(bytes: number, text: string): boolean {
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}

/** The refusal of a value that is too long, naming its field. */
export function valueTooLong(name: string): AppError {
  const limit = SUBMISSION_LIMITS.valueBytes / 1024;
  return new AppError('value_too_long', `The field "${name}" is longer than ${limit} kB.`, {
    errors: [{ field: name, code: 'too_long', limit }],
  });
}

/**
 * Makes one payload of entries in the order they came: a repeated name becomes an array where it first stood, a name
 * that ends in `[]` loses the ending and is always an array. No name is special, `__proto__` neither.
 */
export function toPayload(entries: ReadonlyArray<readonly [name: string, value: PayloadValue]>): Payload {
  const lists = new Map<string, PayloadValue[]>();
  const always = new Set<string>();
  for (const [sent, value] of entries) {
    const isList = sent.endsWith('[]');
    const name = isList ? sent.slice(0, -2) : sent;
    if (isList) always.add(name);
    const values = lists.get(name);
    const added = isList && Array.isArray(value) ? value : [value];
    if (values) values.push(...added);
    else lists.set(name, [...added]);
  }
  return Array.from(lists, ([name, values]) => {
    const [only] = values;
    return [name, values.length === 1 && only !== undefined && !always.has(name) ? only : values];
  });
}
