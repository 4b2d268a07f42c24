import { isDate } from '../../domain/fields/date.ts';
import { type DescribeField, fieldDescriber } from '../../domain/fields/field-display.ts';
import type { FormField, ValueWords } from '../../domain/fields/field-type.ts';
import { getFieldType } from '../../domain/fields/field-types.ts';
import type { Form } from '../../domain/forms/form.ts';
import type { PayloadValue, StoredSubmission } from '../../domain/submissions/submission.ts';
import { formatLocalTime } from '../../domain/users/time-zone.ts';
import { Columns, type FieldChoice, type RowValues } from './export-columns.ts';

/** Words of exports for people, in their language. */
export type SpreadsheetWords = ValueWords &
  Readonly<{
    sheet: string;
    received: string;
    spam: string;
    damaged: string;
    id: string;
    maybeSpam: string;
    otherFields: string;
    /** Ends a text that is too long for a cell. */
    shortened: string;
  }>;

/** Options of exports for people. `choice` is null for all fields. */
export type SpreadsheetOptions = Readonly<{
  form: Pick<Form, 'fields'>;
  choice: FieldChoice | null;
  timeZone: string;
  words: SpreadsheetWords;
}>;

/** A cell: its text, and its number where spreadsheets can calculate with it. Dates are numbers of days. */
export type Cell = Readonly<{ text: string; number?: number; format?: 'date' | 'time' }>;

const LIST_SEPARATOR = '; ';

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
    // Ratings stay numbers, to calculate with.
    this.#describe = fieldDescriber(form.fields, { ...words, rating: (value) => value });
    this.#fields = new Map(form.fields.map((field) => [field.name, field]));
    this.first = [words.received];
    const reserved = [...this.first, words.otherFields, words.spam, words.damaged, words.id, words.maybeSpam];
    this.columns = new Columns({ form, choice, reserved, titleOf: (name) => this.#fields.get(name)?.label || name });
  }

  /** The titles after the fields, once these are known. */
  get last(): readonly string[] {
    const { otherFields, spam, damaged, id, maybeSpam } = this.#options.words;
    return [...(this.columns.isFull ? [otherFields] : []), spam, damaged, id, maybeSpam];
  }

  row({ id, createdAt, isSpam, isMaybeSpam }: StoredSubmission, { values, otherFields, isDamaged }: RowValues): Cell[] {
    const { words, timeZone } = this.#options;
    if (this.#names.length !== values.length) this.#names = this.columns.names;
    const received = formatLocalTime(createdAt, timeZone);
    const yesNo = (is: boolean): Cell => ({ text: is ? words.yes : words.no });
    return [
      { text: received, number: getDays(received), format: 'time' },
      ...values.map((value, index) => this.#cell(this.#names[index] ?? '', value)),
      ...(this.columns.isFull ? [{ text: otherFields }] : []),
      yesNo(isSpam),
      yesNo(isDamaged),
      { text: id },
      yesNo(isMaybeSpam),
    ];
  }

  #cell(name: string, value: PayloadValue | undefined): Cell {
    if (value === undefined) return { text: '' };
    const text = this.#describe(name, value).texts.join(LIST_SEPARATOR);
    const { summary, html } = getFieldType(this.#fields.get(name));
    if (html.type === 'date' && isDate(text)) {
      const number = getDays(text);
      return number >= FIRST_DAY ? { text, number, format: 'date' } : { text };
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
