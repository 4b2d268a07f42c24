import type { FieldType } from './field-type.ts';
import { matchesPattern } from './pattern.ts';

/**
 * RE2 and HTML pattern of a phone number: 5 to 20 digits of any script, with spaces, dashes, brackets, dots, slashes
 * and plus signs. Numbers copied from address books may contain invisible characters.
 */
const PATTERN = String.raw`(?:[\p{Z}\p{Pd}\p{Ps}\p{Pe}\p{Cf}+.\/]*\p{Nd}){5,20}[\p{Z}\p{Pe}\p{Cf}.]*`;

export const phone = {
  alias: 'tel',
  label: { en: 'Phone number', de: 'Telefonnummer' },
  sign: ['phone', 'green'],
  accepts: '5 to 20 digits with spaces, dashes, dots, slashes, brackets and plus signs',
  isValid: (text) => matchesPattern(PATTERN, [text]),
  html: { control: 'input', type: 'tel', autocomplete: 'tel', pattern: PATTERN },
  sample: () => '+44 20 7946 0018',
} as const satisfies FieldType;
