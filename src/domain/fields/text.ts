import type { FieldType } from './field-type.ts';

const ANY_TEXT = { accepts: 'any text', error: 'text' } as const;

/** Also stands for types that are not in the list. */
export const text = {
  ...ANY_TEXT,
  label: { en: 'Short text', de: 'Kurzer Text' },
  sign: ['text', 'green'],
  html: { control: 'input' },
} as const satisfies FieldType;

export const textarea = {
  ...ANY_TEXT,
  label: { en: 'Long text', de: 'Langer Text' },
  sign: ['lines', 'green'],
  html: { control: 'textarea' },
} as const satisfies FieldType;

export const hidden = {
  ...ANY_TEXT,
  label: { en: 'Hidden field', de: 'Verstecktes Feld' },
  sign: ['note', 'pink'],
  html: { control: 'hidden', type: 'hidden' },
} as const satisfies FieldType;
