import type { Form, FormField } from '../../../domain/form.ts';
import { templateFields } from '../../../domain/form-templates.ts';
import { matchesPattern } from '../../../domain/pattern.ts';
import type { Texts } from '../../i18n/index.ts';

/** Returns the form's fields, or those of the contact template if it has none. */
export function fieldsOf({ fields }: Pick<Form, 'fields'>, { templates }: Texts): readonly FormField[] {
  return fields.length > 0 ? fields : templateFields('contact', templates.labels);
}

const SAMPLES: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  tel: '+44 20 7946 0018',
  url: 'https://example.com',
  number: '2',
  date: '2026-12-10',
  checkbox: 'yes',
};

/** Returns a plausible value for a field. */
export function sampleOf({ name, type, max_length, pattern }: FormField): string {
  const usual = SAMPLES[type] ?? (name.includes('name') ? 'Ada Lovelace' : 'Hello');
  const short = usual.slice(0, max_length);
  return pattern === undefined || matchesPattern(pattern, [short]) || !matchesPattern(pattern, ['5']) ? short : '5';
}
