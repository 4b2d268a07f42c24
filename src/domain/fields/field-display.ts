import type { PayloadValue } from '../submissions/submission.ts';
import { formatBox, isChecked } from './checkbox.ts';
import { DEFAULT_MAX_RATING, type FormField, type ValueWords } from './field-type.ts';
import { getFieldType } from './field-types.ts';

/** A value that a page draws: a checked or unchecked box, a rating, or chosen options. */
export type Drawn =
  | Readonly<{ kind: 'box'; isChecked: boolean }>
  | Readonly<{ kind: 'rating'; stars: number; max: number }>
  | Readonly<{ kind: 'options' }>;

/**
 * A field of a submission as people read it: its label, and one text per value. Empty values have no text. `drawn` is null
 * for values that are only text.
 */
export type FieldDisplay = Readonly<{ label: string; texts: readonly string[]; drawn: Drawn | null }>;

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
    return { label: field?.label || name, texts, drawn: getDrawn(field, value, texts, words) };
  };
}

/** Sorts submitted fields by the form's order. Fields that the form does not have come last, as they were sent. */
export function sortByForm<Entry extends readonly [string, ...unknown[]]>(
  fields: readonly FormField[],
  entries: readonly Entry[],
): readonly Entry[] {
  const ranks = new Map(fields.map(({ name }, index) => [name, index]));
  const getRank = ([name]: Entry) => ranks.get(name) ?? fields.length;
  return entries.toSorted((a, b) => getRank(a) - getRank(b));
}

function getDrawn(
  field: FormField | undefined,
  value: PayloadValue,
  texts: readonly string[],
  words: ValueWords,
): Drawn | null {
  if (texts.length === 0) return null;
  const { html, summary } = getFieldType(field);
  if (summary === 'choice') return { kind: 'options' };
  if (html.control === 'scale' && field && texts[0] !== String(value)) {
    return { kind: 'rating', stars: Number(value), max: field.max ?? DEFAULT_MAX_RATING };
  }
  const isBox = texts.length === 1 && (texts[0] === words.yes || texts[0] === words.no);
  const isBoxed = typeof value === 'boolean' || html.control === 'box' || (field === undefined && value === 'on');
  return isBox && isBoxed ? { kind: 'box', isChecked: isChecked(value) === true } : null;
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
