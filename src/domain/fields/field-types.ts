import { checkbox, consent } from './checkbox.ts';
import { checkboxes, radio, select } from './choice.ts';
import { date } from './date.ts';
import { email } from './email.ts';
import { DEFAULT_MAX_RATING, type FieldType, type FormField, fieldSchema } from './field-type.ts';
import { file } from './file.ts';
import { number } from './number.ts';
import { matchesPattern } from './pattern.ts';
import { phone } from './phone.ts';
import { rating } from './rating.ts';
import { hidden, text, textarea } from './text.ts';
import { url } from './url.ts';

/** All types, in the order of the editor. */
const TYPES = {
  ...{ text, textarea, email, phone, url, number, date },
  ...{ select, radio, checkboxes, rating, checkbox, consent, file, hidden },
};

type Types = typeof TYPES;
type ErrorOf<Name extends keyof Types> =
  | (Types[Name] extends { error: infer Code } ? Code : Name)
  | (Types[Name] extends { required: { error: infer Code } } ? Code : never);

export type TypeErrorCode = { [Name in keyof Types]: ErrorOf<Name> }[keyof Types];

export type NamedType = FieldType<TypeErrorCode> & Readonly<{ name: string; error: TypeErrorCode }>;

export const FIELD_TYPES = Object.entries(TYPES).map(([name, type]) => ({ error: name, ...type, name }) as NamedType);

const BY_NAME = new Map(
  FIELD_TYPES.flatMap((type) => [type.name, type.alias ?? type.name].map((name) => [name, type])),
);

const TEXT: NamedType = { ...text, name: 'text' };

/** Returns the type of a field. Fields of unknown types, or without configuration, are texts. */
export function getFieldType(field: Pick<FormField, 'type'> | undefined): NamedType {
  return BY_NAME.get(field?.type ?? '') ?? TEXT;
}

export const takesFiles = (field: Pick<FormField, 'type'>): boolean => getFieldType(field).html.type === 'file';

/** Returns a plausible value for a field. */
export function getSample(field: FormField): string {
  const { name, max_length, pattern } = field;
  const usual = getFieldType(field).sample?.(field) ?? (name.includes('name') ? 'Ada Lovelace' : 'Hello');
  const short = usual.slice(0, max_length);
  return pattern === undefined || matchesPattern(pattern, [short]) || !matchesPattern(pattern, ['5']) ? short : '5';
}

/** Returns a plausible submission without files. */
export function samplePayload(fields: readonly FormField[]): ReadonlyArray<readonly [name: string, sample: string]> {
  return fields.filter((field) => !takesFiles(field)).map((field) => [field.name, getSample(field)]);
}

export function namesWith(setting: FieldType['setting']): string[] {
  return FIELD_TYPES.filter((type) => type.setting === setting).map(({ name }) => name);
}

/** Schema of a field, for the API and the file of `apply`. */
export const FieldSchema = fieldSchema({
  options: `The values to choose from, for ${typesWith('options')}.`,
  max: `The best rating, for ${typesWith('max')}. Default: ${DEFAULT_MAX_RATING}.`,
});

function typesWith(setting: FieldType['setting']): string {
  const names = namesWith(setting).map((name) => `\`${name}\``);
  return `the type${names.length > 1 ? 's' : ''} ${names.join(', ').replace(/, (?=[^,]*$)/, ' and ')}`;
}
