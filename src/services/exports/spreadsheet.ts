import { isDate } from '../../domain/fields/date.ts';
import { type DescribeField, fieldDescriber } from '../../domain/fields/field-display.ts';
import type { FormField, ValueWords } from '../../domain/fields/field-type.ts';
import { getFieldType } from '../../domain/fields/field-types.ts';
import type { Form } from '../../domain/forms/form.ts';
import type { PayloadValue, StoredSubmission } from '../../domain/submissions/submission.ts';
import { formatLocalTime } from '../../domain/users/time-zone.ts';
import { Columns, type FieldChoice, type RowValues } from './export-columns.ts';

/** The media type of an Office Open XML workbook. */
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Words of exports for people, in their language. */
export type SpreadsheetWords = ValueWords &
  Readonly<{
    sheet: string;
    received: string;
    spam: string;
    damaged: string;
    id: string;
    maybeSpam: string;
    confirmed: string;
    consent: string;
    otherFields: string;
    /** Ends a text that is too long for a cell. */
    shortened: string;
  }>;

/** Options of exports for people. `choice` is null for all fields. */
export type SpreadsheetOptions = Readonly<{
  form: Pick<Form, 'fields'>;
  choice: FieldChoice | null;
  /** Columns about the submission, after its fields. */
  extras: readonly ExtraColumn[];
  timeZone: string;
  words: SpreadsheetWords;
}>;

/** A column about the submission that people rarely need. */
export type ExtraColumn = (typeof EXTRA_COLUMNS)[number];
export const EXTRA_COLUMNS = ['spam', 'damaged', 'id', 'maybeSpam', 'confirmed', 'consent'] as const;

/**
 * A cell: its text, and its number where spreadsheets can calculate with it. Dates are numbers of days; a number as format
 * is the best rating.
 */
export type Cell = Readonly<{ text: string; number?: number; format?: 'date' | 'time' | number }>;

/** Joins the values of one cell. */
export const LIST_SEPARATOR = '; ';

/** Rows of submissions as people read them. */
export class Spreadsheet {
  readonly first: readonly string[];
  readonly columns: Columns;
  readonly #options: SpreadsheetOptions;
  readonly #describe: DescribeField;
  readonly #fields: ReadonlyMap<string, FormField>;
  #names: readonly string[] = [];

  constructor(options: SpreadsheetOptions) {
    const { form, choice, words } = options;
    this.#options = options;
    // Spreadsheets read dates in this form in any language, and show them in their own.
    this.#describe = fieldDescriber(form.fields, { ...words, date: (date) => date });
    this.#fields = new Map(form.fields.map((field) => [field.name, field]));
    this.first = [words.received];
    const reserved = [...this.first, words.otherFields, ...EXTRA_COLUMNS.map((column) => words[column])];
    this.columns = new Columns({ form, choice, reserved, titleOf: (name) => this.#fields.get(name)?.label || name });
  }

  /** The titles after the fields, once these are known. */
  get last(): readonly string[] {
    const { words, extras } = this.#options;
    return [...(this.columns.isFull ? [words.otherFields] : []), ...extras.map((column) => words[column])];
  }

  row(submission: StoredSubmission, { values, otherFields, isDamaged, consent }: RowValues): Cell[] {
    const { id, createdAt, isSpam, isMaybeSpam, confirmedAt } = submission;
    const { words, timeZone, extras } = this.#options;
    if (this.#names.length !== values.length) this.#names = this.columns.names;
    const received = formatLocalTime(createdAt, timeZone);
    const confirmed = confirmedAt !== null && formatLocalTime(confirmedAt, timeZone);
    const about = { spam: isSpam, damaged: isDamaged, id, maybeSpam: isMaybeSpam, confirmed, consent };
    const toCell = (value: string | boolean): Cell => ({ text: value === true ? words.yes : value || words.no });
    return [
      { text: received, number: getDays(received), format: 'time' },
      ...values.map((value, index) => this.#cell(this.#names[index] ?? '', value)),
      ...(this.columns.isFull ? [{ text: otherFields }] : []),
      ...extras.map((column) => toCell(about[column])),
    ];
  }

  #cell(name: string, value: PayloadValue | undefined): Cell {
    if (value === undefined) return { text: '' };
    const text = this.#describe(name, value).texts.join(LIST_SEPARATOR);
    const field = this.#fields.get(name);
    const { summary, html, limit } = getFieldType(field);
    if (html.type === 'date' && isDate(text)) {
      const number = getDays(text);
      return number >= FIRST_DAY ? { text, number, format: 'date' } : { text };
    }
    if (html.control === 'scale' && field && text !== String(value)) {
      return { text, ...(!Array.isArray(value) && { number: Number(value), format: limit?.(field) ?? 0 }) };
    }
    const isNumeric = typeof value === 'number' || summary === 'number';
    return isNumeric && NUMBER.test(text) && Number.isFinite(Number(text)) ? { text, number: Number(text) } : { text };
  }
}

/** A number that spreadsheets keep exactly: they have 15 digits, and no use for leading zeros. */
const NUMBER = /^-?(?=[\d.]{1,16}(?:e|$))(?:0|[1-9]\d{0,14})(?:\.\d+)?(?:e[+-]?\d{1,2})?$/i;

/** 1900-03-01, the first day on which all spreadsheets agree. */
const FIRST_DAY = 61;

/** Converts `2026-11-22` or `2026-11-22 08:00` into days since 1899-12-30. */
function getDays(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}${text.length > 10 ? '' : 'T00:00'}Z`) / 86_400_000 + 25_569;
}
