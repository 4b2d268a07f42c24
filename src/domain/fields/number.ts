import type { FieldType } from './field-type.ts';

/** WHATWG HTML, "valid floating-point number". */
const NUMBER = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/;

export const number = {
  label: { en: 'Number', de: 'Zahl' },
  sign: ['hash', 'blue'],
  accepts: 'a number, as browsers check it',
  isValid: (text) => NUMBER.test(text),
  html: { control: 'input', type: 'number', step: 'any' },
  sample: () => '2',
  summary: 'number',
} as const satisfies FieldType;
