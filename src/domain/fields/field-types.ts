import { checkbox, consent } from './checkbox.ts';
import { checkboxes, radio, select } from './choice.ts';
import { date } from './date.ts';
import { email } from './email.ts';
import { type FieldType, type FormField, fieldSchema } from './field-type.ts';
import { file } from './file.ts';
import { number } from './number.ts';
import { phone } from './phone.ts';
import { rating } from './rating.ts';
import { hidden, text, textarea } from './text.ts';
import { url } from './url.ts';

/** All types, in the order of the editor. */
const TYPES = {
  ...{ text, textarea, email, phone, url, number, date },
  ...{ select, radio, checkboxes, rating, checkbox, consent, file, hidden },
};

type AnyType = (typeof TYPES)[keyof typeof TYPES];

/** Errors of types. */
export type TypeErrorCode = AnyType['error'] | Extract<AnyType, { required: object }>['required']['error'];

/** A type with its name. */
export type NamedType = FieldType<TypeErrorCode> & Readonly<{ name: string }>;

export const FIELD_TYPES: readonly NamedType[] = Object.entries(TYPES).map(([name, type]) => ({ ...type, name }));

const BY_NAME = new Map(
  FIELD_TYPES.flatMap((type) => [type.name, type.alias ?? type.name].map((name) => [name, type])),
);
const TEXT: NamedType = { ...text, name: 'text' };

/** Returns the type of a field. Fields of unknown types, or without configuration, are texts. */
export function getFieldType(field: Pick<FormField, 'type'> | undefined): NamedType {
  return BY_NAME.get(field?.type ?? '') ?? TEXT;
}

/** Reports whether a field takes files. */
export function takesFiles(field: Pick<FormField, 'type'>): boolean {
  return getFieldType(field).html.type === 'file';
}

/** Returns the names of the types with a setting. */
export function namesWith(setting: FieldType['setting']): string[] {
  return FIELD_TYPES.filter((type) => type.setting === setting).map(({ name }) => name);
}

/** Schema of a field, for the API and the file of `apply`. */
export const FieldSchema = fieldSchema((setting) => {
  const names = namesWith(setting).map((name) => `\`${name}\``);
  return `the type${names.length > 1 ? 's' : ''} ${new Intl.ListFormat('en-GB').format(names)}`;
});
