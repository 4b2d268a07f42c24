import type { PayloadValue } from '../domain/submission.ts';

/** A value as a person reads it: line breaks as one kind, without other control characters. */
export function valueText(value: PayloadValue): string {
  if (Array.isArray(value)) return value.map(valueText).join('\n');
  const text = value !== null && typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value ?? '');
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '�');
}

/** A text of at most so many characters, or its beginning, which says so. */
export function shorten(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest).replace(/\p{Surrogate}$/u, '')}… (shortened)` : text;
}

/** What stands for a text that is empty. */
export const NOTHING = '–';
