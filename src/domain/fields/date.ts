import type { FieldType } from './field-type.ts';

export const date = {
  label: { en: 'Date', de: 'Datum' },
  sign: ['calendar', 'blue'],
  accepts: 'a date such as `2026-11-30`',
  isValid: isDate,
  html: { control: 'input', type: 'date' },
  format: (value, words) => (isDate(String(value)) && words.date?.(String(value))) || null,
  sample: () => '2026-12-10',
  needsLabel: true,
} as const satisfies FieldType;

/** Reports whether the text is a valid Gregorian date as `YYYY-MM-DD`, from the year 1. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
