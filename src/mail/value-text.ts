import type { DescribeField } from '../domain/fields/field-display.ts';
import { maskPayload } from '../domain/masking/masking.ts';
import type { PayloadValue, UploadedFile } from '../domain/submissions/submission.ts';
import { truncatePayload } from '../domain/submissions/truncate-payload.ts';
import { sanitizeFileName, truncateFileName } from '../lib/file-name.ts';
import { toSingleLine } from '../lib/one-line.ts';

const MAX_FILE_NAME_LENGTH = 150;

/**
 * Returns the beginning of a value, masked: at least `maxLength` characters of a longer text. Masking halves a text at
 * most.
 */
export function maskedBeginning(name: string, value: PayloadValue, maxLength: number): PayloadValue {
  const length = 2 * maxLength;
  const [[, masked] = [name, '']] = maskPayload(truncatePayload([[name, value]], length, length));
  return masked;
}

/** Reports whether anything in a value is masked. */
export function hasMasked(name: string, value: PayloadValue): boolean {
  const [[, masked] = []] = maskPayload([[name, value]]);
  return masked !== value;
}

/** Formats a value as text with LF line breaks and without other control characters. */
export function valueText(value: PayloadValue): string {
  if (Array.isArray(value)) return value.map(valueText).join('\n');
  const text = value !== null && typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value ?? '');
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '�');
}

/** Describes a masked field: its label, and its values as text, on one line unless a value has several. */
export function fieldText(describe: DescribeField, name: string, value: PayloadValue) {
  const { label, texts } = describe(name, value);
  return { label, text: valueText(texts.join(texts.some((text) => text.includes('\n')) ? '\n' : ', ')) };
}

/** Truncates text to `maxLength` UTF-16 code units and appends `note`; shorter text is returned unchanged. */
export function truncate(text: string, maxLength: number, note: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).replace(/\p{Surrogate}$/u, '')}${note}` : text;
}

/** Formats a file's name for one line. */
export function fileNameText({ id, name }: Pick<UploadedFile, 'id' | 'name'>): string {
  const shortened = truncateFileName(sanitizeFileName(name, id), MAX_FILE_NAME_LENGTH);
  return toSingleLine(shortened, MAX_FILE_NAME_LENGTH);
}

/** Placeholder for an empty text. */
export const EMPTY_TEXT = '–';
