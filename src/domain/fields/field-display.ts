import type { PayloadValue } from '../submissions/submission.ts';
import { formatBox } from './checkbox.ts';
import type { FormField, ValueWords } from './field-type.ts';
import { getFieldType } from './field-types.ts';

/** A field of a submission as people read it: its label, and one text per value. Empty values have no text. */
export type FieldDisplay = Readonly<{ label: string; texts: readonly string[] }>;

/** Describes one submitted field. */
export type DescribeField = (name: string, value: PayloadValue) => FieldDisplay;

/**
 * Returns a function that describes the submitted fields of a form. Pass masked values. Boxes and booleans become the
 * words for yes and no, ratings name their maximum, and objects in JSON are listed as "name: value".
 */
export function fieldDescriber(fields: readonly FormField[], words: ValueWords): DescribeField {
  const byName = new Map(fields.map((field) => [field.name, field]));
  return (name, value) => {
    const field = byName.get(name);
    const values: readonly PayloadValue[] = Array.isArray(value) ? value : [value];
    const texts = values.map((item) => toText(field, item, words)).filter((text) => text !== '');
    return { label: field?.label || name, texts };
  };
}

function toText(field: FormField | undefined, value: PayloadValue, words: ValueWords): string {
  if (value === null || value === '') return '';
  if (typeof value === 'object') return nestedText(value, words);
  // `on` is the value of a box without configuration too.
  const isBox = typeof value === 'boolean' || (field === undefined && value === 'on');
  const format = isBox ? formatBox : field && getFieldType(field).format;
  return format?.(value, words, field) ?? String(value);
}

function nestedText(value: PayloadValue, words: ValueWords): string {
  if (value === null || typeof value !== 'object') return toText(undefined, value, words);
  const inner: ReadonlyArray<readonly [string | null, PayloadValue]> = Array.isArray(value)
    ? value.map((item) => [null, item])
    : Object.entries(value);
  return inner.map(([name, item]) => `${name === null ? '' : `${name}: `}${nestedText(item, words)}`).join('\n');
}
