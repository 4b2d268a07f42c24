import type { PayloadValue } from '../submissions/submission.ts';

/** Returns all text in a value, one line each. Values in an object follow their name. */
export function plainText(value: PayloadValue): string {
  if (value === null) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(plainText).join('\n');
  return Object.entries(value)
    .map(([name, inner]) => `${name}: ${plainText(inner)}`)
    .join('\n');
}
