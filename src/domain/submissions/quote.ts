import type { Form } from '../forms/form.ts';
import { maskPayload } from '../masking/masking.ts';
import { asText, type Payload, type PayloadValue } from './submission.ts';
import { truncatePayload } from './truncate-payload.ts';

/** Fields that a quote leaves out: the visitor's name and address, and special fields. */
const LEFT_OUT = /^(?:_.*|e-?mail(?:[_ -]?address)?|(?:full|first|last|your)?[_ -]?name|vorname|nachname)$/i;

/**
 * Returns what a visitor wrote, masked, for a reply: the text alone if one field is left, else each value after its
 * label. Longer texts end with an ellipsis.
 */
export function quoteText({ fields }: Pick<Form, 'fields'>, payload: Payload, maxLength: number): string {
  const labels = new Map(fields.map(({ name, label }) => [name, label]));
  const masked = maskPayload(truncatePayload(payload, 2 * maxLength, 2 * maxLength));
  const parts = masked
    .filter(([name]) => !LEFT_OUT.test(name))
    .map(([name, value]) => ({ label: labels.get(name) || name, text: toText(value).trim() }))
    .filter(({ text }) => text !== '');
  const [only, ...rest] = parts;
  const text = only && rest.length === 0 ? only.text : parts.map((part) => `${part.label}: ${part.text}`).join('\n');
  return text.length > maxLength ? `${text.slice(0, maxLength).replace(/\p{Surrogate}$/u, '')}…` : text;
}

/** Returns text as quoted lines, each after `>`. */
export const asQuote = (text: string): string => text.replace(/^/gm, '> ').replace(/^> (?=>)/gm, '>');

function toText(value: PayloadValue): string {
  if (Array.isArray(value)) return value.map(toText).join(', ');
  return asText(value)
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, ' ');
}
