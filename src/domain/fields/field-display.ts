import { DEFAULT_MAX_RATING, type FormField } from '../forms/form.ts';
import type { PayloadValue } from '../submissions/submission.ts';

/** Words for values, in the language of the page, mail or export. */
export type ValueWords = Readonly<{ yes: string; no: string; rating: (value: string, max: number) => string }>;

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

/** Values of checked boxes. Browsers send `on` for a box without a value. */
const CHECKED = ['on', 'true', 'yes', '1'];
const UNCHECKED = ['off', 'false', 'no', '0'];

/** Returns true if the value of a checkbox or consent means yes; null if it is neither yes nor no. */
export function isChecked(value: PayloadValue): boolean | null {
  if (typeof value === 'object') return null;
  const text = String(value).trim().toLowerCase();
  if (CHECKED.includes(text)) return true;
  return UNCHECKED.includes(text) ? false : null;
}

function toText(field: FormField | undefined, value: PayloadValue, words: ValueWords): string {
  if (value === null || value === '') return '';
  if (typeof value === 'boolean' || isBox(field, value)) {
    const checked = isChecked(value);
    if (checked !== null) return checked ? words.yes : words.no;
  }
  if (field?.type === 'rating' && typeof value !== 'object') {
    const max = field.max ?? DEFAULT_MAX_RATING;
    return isRating(value, max) ? words.rating(String(value), max) : String(value);
  }
  return typeof value === 'object' ? nestedText(value, words) : String(value);
}

/** Reports whether a field is a box to check. `on` means so without configuration too. */
function isBox(field: FormField | undefined, value: PayloadValue): boolean {
  return field ? field.type === 'checkbox' || field.type === 'consent' : value === 'on';
}

/** Reports whether a value is a whole number from 1 to `max`. */
export function isRating(value: PayloadValue, max: number): boolean {
  return /^(?:10|[1-9])$/.test(String(value)) && Number(value) <= max;
}

function nestedText(value: PayloadValue, words: ValueWords): string {
  if (value === null || typeof value !== 'object') return toText(undefined, value, words);
  const inner: ReadonlyArray<readonly [string | null, PayloadValue]> = Array.isArray(value)
    ? value.map((item) => [null, item])
    : Object.entries(value);
  return inner.map(([name, item]) => `${name === null ? '' : `${name}: `}${nestedText(item, words)}`).join('\n');
}
