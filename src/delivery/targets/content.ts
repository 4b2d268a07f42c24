import { fieldDescriber } from '../../domain/fields/field-display.ts';
import { VALUE_WORDS } from '../../domain/fields/value-words.ts';
import type { PayloadValue } from '../../domain/submissions/submission.ts';
import { truncatePayload } from '../../domain/submissions/truncate-payload.ts';
import { formatBytes } from '../../lib/bytes.ts';
import { toSingleLine } from '../../lib/one-line.ts';
import { EMPTY_TEXT, fieldText, fileNameText, valueText } from '../../mail/value-text.ts';
import { MORE, type TargetEvent, type TargetFile } from './target.ts';

/**
 * Limits of a vendor's message. Sizes are of inert text, in UTF-16 code units or as `size` measures it, which must not
 * return less.
 */
export type Limits = Readonly<{
  /** Number of rows, files included. */
  rows: number;
  /** Size of a label, and of the form's name. */
  label: number;
  value: number;
  /** Size of all rows, with `overhead` for each. */
  total: number;
  overhead: number;
  size?: (text: string) => number;
  /** Makes text inert for the vendor. A prefix of the result must be inert too. */
  makeInert: (text: string) => string;
}>;

export type Row = Readonly<{ label: string; text: string }>;

/** An event as inert, truncated texts. `more` is a note about omitted fields, or null. */
export type Content = Readonly<{ headline: string; form: string; rows: readonly Row[]; more: string | null }>;

export const LINK_TEXT = 'Open in the dashboard';
/** Label length before escaping, in characters. */
const MAX_LABEL = 100;
/** Minimum space left to start another row, besides its label. */
const MIN_ROOM = 32;

const HEADLINES = {
  'submission.created': 'New submission',
  'submission.deleted': 'Submission deleted',
  'form.cap_reached': 'Submission limit reached',
  'webhook.test': 'Test',
} as const;

const getLength = (text: string): number => text.length;

/** Returns an event's heading, form and rows within the limits of a vendor. */
export function getContent(event: TargetEvent, limits: Limits): Content {
  const { form, submission } = event;
  const last = lastRows(event).map(([label, text]) => toRow(label, text, limits, limits.total / 4));
  let left = limits.total - last.reduce((sum, row) => sum + getSize(row, limits), 0);
  const rows: Row[] = [];
  const describe = fieldDescriber(form.fields, VALUE_WORDS.en);
  const fields = truncatePayload(submission?.data ?? [], limits.value + MORE, 2 * limits.total);
  for (const [name, value] of fields) {
    if (rows.length + last.length >= limits.rows || left < limits.label + limits.overhead + MIN_ROOM) break;
    const { label, text } = fieldText(describe, name, value);
    const row = toRow(label, plainText(text), limits, left);
    left -= getSize(row, limits);
    rows.push(row);
  }
  const omitted = fields.length - rows.length;
  return {
    headline: HEADLINES[event.type] + spamMark(submission),
    form: labelText(form.name, limits),
    rows: [...rows, ...last],
    more: omitted === 0 ? null : `… and ${omitted} more ${omitted === 1 ? 'field' : 'fields'}`,
  };
}

function spamMark(submission: TargetEvent['submission']): string {
  if (submission?.isSpam) return ' (spam)';
  return submission?.isMaybeSpam ? ' (suspected spam)' : '';
}

/** Returns the rows behind the fields. */
function lastRows({ submission }: TargetEvent): Array<[label: string, text: string]> {
  if (submission === null) return [];
  const { id, data, files } = submission;
  const names = fileLines(files);
  return [
    ...(data === null ? [['Submission', id] as [string, string]] : []),
    ...(names ? [['Files', names] as [string, string]] : []),
  ];
}

/** Returns a line with the name and size of each file. */
export function fileLines(files: readonly TargetFile[]): string {
  return plainText(files.map((file) => `${fileNameText(file)} (${formatBytes(file.size)})`).join('\n'));
}

function toRow(name: string, text: string, limits: Limits, room: number): Row {
  const { overhead, size = getLength, makeInert, value } = limits;
  const label = labelText(name, limits);
  return { label, text: shorten(makeInert(text || EMPTY_TEXT), Math.min(value, room - size(label) - overhead), size) };
}

function labelText(text: string, { label, size = getLength, makeInert }: Limits): string {
  return shorten(makeInert(toSingleLine(text, MAX_LABEL) || EMPTY_TEXT), label, size);
}

function getSize({ label, text }: Row, { overhead, size = getLength }: Limits): number {
  return size(label) + size(text) + overhead;
}

/** Returns a value as text with LF line breaks and without characters that reorder other text. */
export function plainText(value: PayloadValue): string {
  return valueText(value)
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\u2028\u2029]/g, '\n')
    .trim();
}

/** Returns content as lines of text. Line breaks in values must be indented, so that they do not pass for fields. */
export function toLines({ form, rows, more }: Content): string {
  const lines = [`Form: ${form}`, ...rows.map(({ label, text }) => `${label}: ${text}`)];
  return [...lines, ...(more === null ? [] : [more])].join('\n');
}

/** Indents all lines but the first. */
export const indent = (text: string): string => text.replaceAll('\n', '\n  ');

/** Longest grapheme that a cut keeps or drops as a whole, in UTF-16 code units. */
const MAX_GRAPHEME = 64;

/** Cuts text to `maxSize` with an ellipsis, between graphemes and not behind an escaping backslash. */
export function shorten(text: string, maxSize: number, size = getLength): string {
  if (text.length <= maxSize && size(text) <= maxSize) return text;
  const room = maxSize - size('…');
  let end = 0;
  let limit = Math.min(text.length, room);
  while (end < limit) {
    const middle = Math.ceil((end + limit) / 2);
    if (size(text.slice(0, middle)) <= room) end = middle;
    else limit = middle - 1;
  }
  const start = new Intl.Segmenter().segment(text).containing(end)?.index ?? end;
  let short = text
    .slice(0, end - start < MAX_GRAPHEME ? start : end)
    .replace(/\p{Surrogate}$/u, '')
    .trimEnd();
  while (short.endsWith('\\')) short = short.slice(0, -1);
  return `${short}…`;
}
