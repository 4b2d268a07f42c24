import { DEFAULT_MAX_RATING, type FormField } from '../forms/form.ts';
import { matchesPattern } from './pattern.ts';

const SAMPLES: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  phone: '+44 20 7946 0018',
  tel: '+44 20 7946 0018',
  url: 'https://example.com',
  number: '2',
  date: '2026-12-10',
  checkbox: 'yes',
  consent: 'yes',
};

/** Returns a plausible value for a field. */
export function getSample({ name, type, max_length, pattern, options, max = DEFAULT_MAX_RATING }: FormField): string {
  if (type === 'rating') return String(max);
  const usual = options?.[0] ?? SAMPLES[type] ?? (name.includes('name') ? 'Ada Lovelace' : 'Hello');
  const short = usual.slice(0, max_length);
  return pattern === undefined || matchesPattern(pattern, [short]) || !matchesPattern(pattern, ['5']) ? short : '5';
}
