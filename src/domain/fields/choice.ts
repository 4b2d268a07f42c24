import type { FieldType } from './field-type.ts';

const CHOICE = {
  accepts: 'one of the options',
  setting: 'options',
  error: 'option',
  /** Accepts any text for a field without options, as forms of earlier versions may have. */
  isValid: (text, _value, { options }) => options?.includes(text) ?? true,
  choices: ({ options = [] }) => options,
  sample: ({ options }) => options?.[0],
  summary: 'choice',
} as const satisfies Partial<FieldType>;

export const select = {
  ...CHOICE,
  label: { en: 'Drop-down list', de: 'Auswahlliste' },
  sign: ['select', 'violet'],
  html: { control: 'select' },
} as const satisfies FieldType;

export const radio = {
  ...CHOICE,
  label: { en: 'Single choice', de: 'Einfachauswahl' },
  sign: ['radio', 'violet'],
  html: { control: 'group', type: 'radio' },
} as const satisfies FieldType;

export const checkboxes = {
  ...CHOICE,
  label: { en: 'Multiple choice', de: 'Mehrfachauswahl' },
  sign: ['checked', 'violet'],
  accepts: 'any number of the options',
  html: { control: 'group', type: 'checkbox' },
} as const satisfies FieldType;
