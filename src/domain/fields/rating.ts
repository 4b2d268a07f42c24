import { DEFAULT_MAX_RATING, type FieldType, type FormField } from './field-type.ts';

export const rating = {
  label: { en: 'Rating', de: 'Bewertung' },
  sign: ['star', 'violet'],
  accepts: 'a whole number from 1 to `max`',
  setting: 'max',
  isValid: (text, _value, field) => getChoices(field).includes(text),
  limit: getMax,
  html: { control: 'scale', type: 'radio' },
  choices: getChoices,
  format: (value, words, field) =>
    field && getChoices(field).includes(String(value)) ? words.rating(String(value), getMax(field)) : null,
  sample: (field) => String(getMax(field)),
  summary: 'number',
} as const satisfies FieldType;

function getMax({ max = DEFAULT_MAX_RATING }: FormField): number {
  return max;
}

function getChoices(field: FormField): string[] {
  return Array.from({ length: getMax(field) }, (_, index) => String(index + 1));
}
