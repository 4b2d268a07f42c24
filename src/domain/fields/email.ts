import { isEmailAddress } from '../mail/email-address.ts';
import type { FieldType } from './field-type.ts';

export const email = {
  label: { en: 'Email address', de: 'E-Mail-Adresse' },
  sign: ['address', 'green'],
  accepts: 'an email address, as browsers check it',
  isValid: isEmailAddress,
  html: { control: 'input', type: 'email', autocomplete: 'email' },
  sample: () => 'ada@example.com',
} as const satisfies FieldType;
