import type { PayloadValue } from '../../domain/submissions/submission.ts';
import { truncatePayload } from '../../domain/submissions/truncate-payload.ts';
import { formatTime } from '../../lib/clock.ts';
import { toSingleLine } from '../../lib/one-line.ts';
import { EMPTY_TEXT } from '../../mail/value-text.ts';
import { fileLines, indent, plainText, shorten } from './content.ts';
import { MORE, SHOWN_CHARACTERS, type TargetEvent } from './target.ts';

export type Cell = string | number | boolean | null;

const FIRST_COLUMNS = ['submission_id', 'created_at', 'is_spam', 'link', 'files', 'maybe_spam'];
/** Column for the fields without one, as lines. */
const OTHER_COLUMN = 'other_fields';
const RESERVED: ReadonlySet<string> = new Set([...FIRST_COLUMNS, OTHER_COLUMN]);
/** Keeps submissions with invented fields from widening a sheet to Google's limits of columns and cells. */
const MAX_COLUMNS = 200;
const MAX_TITLE_LENGTH = 100;
/** A cell has 50,000 characters. */
const MAX_CELL_LENGTH = 20_000;
/** Keeps a batch below Google's 10 MB for a request. */
const MAX_ROW_LENGTH = 60_000;

/**
 * Returns the titles of a sheet, extended by the fields of a form and its submissions, and a row for each submission. New
 * columns are at the end. The first title is never empty, because Google would append rows beside an empty column.
 */
export function sheetRows(titles: readonly string[], events: readonly TargetEvent[]) {
  const columns = titles.length === 0 ? [...FIRST_COLUMNS] : [titles[0] || EMPTY_TEXT, ...titles.slice(1)];
  const rows = events.map((event) => toRow(event, columns));
  return { columns, rows };
}

/** Returns the cells of a submission by title, and adds missing titles to `columns`. */
function toRow({ form, submission, url }: TargetEvent, columns: string[]): Cell[] {
  if (submission === null) return [];
  const cells = new Map<string, Cell>([
    ['submission_id', submission.id],
    ['created_at', formatTime(submission.createdAt)],
    ['is_spam', submission.isSpam],
    ['link', url],
    ['maybe_spam', submission.isMaybeSpam],
    ['files', shorten(fileLines(submission.files), MAX_CELL_LENGTH)],
  ]);
  for (const title of [...FIRST_COLUMNS, ...form.fields.map(({ name }) => getTitle(name))]) addColumn(columns, title);
  const overflow: string[] = [];
  let left = MAX_ROW_LENGTH;
  const fields = truncatePayload(submission.data ?? [], MAX_CELL_LENGTH + MORE, SHOWN_CHARACTERS.payload);
  for (const [name, value] of fields) {
    const title = getTitle(name);
    const cell = left > 0 ? toCell(value, Math.min(MAX_CELL_LENGTH, left)) : '…';
    left -= String(cell).length;
    if (cells.has(title) || !addColumn(columns, title)) overflow.push(indent(`${title}: ${cell}`));
    else cells.set(title, cell);
  }
  if (overflow.length > 0) {
    if (!columns.includes(OTHER_COLUMN)) columns.push(OTHER_COLUMN);
    cells.set(OTHER_COLUMN, shorten(overflow.join('\n'), MAX_CELL_LENGTH));
  }
  return columns.map((title, index) => (columns.indexOf(title) === index ? (cells.get(title) ?? null) : null));
}

/** Returns whether `columns` has the title, after adding it if there is room. */
function addColumn(columns: string[], title: string): boolean {
  if (columns.includes(title)) return true;
  if (columns.length >= MAX_COLUMNS) return false;
  columns.push(title);
  return true;
}

function getTitle(name: string): string {
  const title = toSingleLine(name, MAX_TITLE_LENGTH) || EMPTY_TEXT;
  return RESERVED.has(title) ? `${title} (field)` : title;
}

function toCell(value: PayloadValue, maxLength: number): Cell {
  return typeof value === 'number' || typeof value === 'boolean' ? value : shorten(plainText(value), maxLength);
}
