import { DEFAULT_MAX_RATING, type FieldType, type FormField } from './field-type.ts';

export const rating = {
  label: { en: 'Rating', de: 'Bewertung' },
  accepts: 'a whole number from 1 to `max`',
  setting: 'max',
  isValid: isRating,
  limit: getMax,
  html: { control: 'scale', type: 'radio' },
  choices: (field) => Array.from({ length: getMax(field) }, (_, index) => String(index + 1)),
  format: (value, words, field) =>
    field && isRating(String(value), value, field) ? words.rating(String(value), getMax(field)) : null,
  sample: (field) => String(getMax(field)),
  summary: 'number',
} as const satisfies FieldType;

function getMax({ max = DEFAULT_MAX_RATING }: FormField): number {
  return max;
}

/** Reports whether a value is a whole number from 1 to `max`. */
function isRating(text: string, _value: unknown, field: FormField): boolean {
  return /^(?:10|[1-9])$/.test(text) && Number(text) <= getMax(field);
}
