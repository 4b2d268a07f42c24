import type { FieldType } from './field-type.ts';

export const file = {
  label: { en: 'Files', de: 'Dateien' },
  sign: ['upload', 'teal'],
  accepts: 'files only',
  isValid: () => false,
  html: { control: 'input', type: 'file' },
} as const satisfies FieldType;
