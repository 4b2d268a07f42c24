import type { PayloadValue } from '../submissions/submission.ts';
import type { FieldType, ValueWords } from './field-type.ts';

const BOX = {
  error: 'checkbox',
  isValid: (_text, value) => typeof value !== 'number',
  html: { control: 'box', type: 'checkbox' },
  format: formatBox,
  sample: () => 'yes',
  summary: 'check',
} as const satisfies Partial<FieldType>;

export const checkbox = {
  ...BOX,
  label: { en: 'Checkbox', de: 'Kontrollkästchen' },
  sign: ['check', 'orange'],
  accepts: 'checked or not; a required one must be checked',
} as const satisfies FieldType;

export const consent = {
  ...BOX,
  label: { en: 'Consent', de: 'Einwilligung' },
  sign: ['check', 'orange'],
  accepts: 'like `checkbox`; if it is required, `no`, `off`, `false` and `0` are refused too',
  required: { error: 'consent', isMet: (values) => values.some((value) => typeof value === 'object' || agrees(value)) },
} as const satisfies FieldType;

/** Values of checked boxes. Browsers send `on` for a box without a value. */
const CHECKED = ['on', 'true', 'yes', '1'];
const UNCHECKED = ['off', 'false', 'no', '0'];

/** Returns true if the value of a checkbox or consent means yes; null if it is neither yes nor no. */
export function isChecked(value: PayloadValue): boolean | null {
  const text = typeof value === 'object' ? '' : String(value).trim().toLowerCase();
  return CHECKED.includes(text) || (UNCHECKED.includes(text) ? false : null);
}

/** Returns whether one value of a consent field agrees. Pages may have their own text as value. */
export function agrees(value: PayloadValue): boolean {
  return typeof value !== 'object' && String(value).trim() !== '' && isChecked(value) !== false;
}

/** Returns the words for the value of a box; null if it is neither yes nor no. */
export function formatBox(value: PayloadValue, words: Pick<ValueWords, 'yes' | 'no'>): string | null {
  const checked = isChecked(value);
  return checked === null ? null : checked ? words.yes : words.no;
}
