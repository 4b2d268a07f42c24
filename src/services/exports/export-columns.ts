import type { Form } from '../../domain/forms/form.ts';
import type { PayloadValue, StoredSubmission } from '../../domain/submissions/submission.ts';
import { mapYielding } from '../../lib/map-yielding.ts';
import type { ExportSpan } from '../../storage/records.ts';
import { openFiles, openOr, openPayload } from '../../vault/open-submission.ts';
import { readConsent, readFiles, readPayload } from '../submissions/read-submission.ts';
import { asObject } from '../submissions/serialize-submission.ts';
import { type ExportDeps, mapPages, type Progress } from './export.ts';

/** Columns for fields, as many as one submission can have. Further fields share a column, as JSON. */
const MAX_FIELDS = 1_000;

/** The fields to export: their names, and whether to add all fields that are not configured. */
export type FieldChoice = Readonly<{ names: ReadonlySet<string>; others: boolean }>;

type Options = Readonly<{
  form: Pick<Form, 'fields'>;
  /** Null for all fields. */
  choice: FieldChoice | null;
  titleOf: (name: string) => string;
  /** Titles of the columns that are not fields. */
  reserved: readonly string[];
}>;

/** The values of a submission in the order of the columns, undefined for a missing one. Uploads are listed by name. */
export type RowValues = Readonly<{
  values: ReadonlyArray<PayloadValue | undefined>;
  /** Fields without a column, as JSON. */
  otherFields: string;
  isDamaged: boolean;
  /** The text that the visitor agreed to; empty for none. */
  consent: string;
}>;

/** Columns of an export, one per field. */
export class Columns {
  readonly #options: Options;
  readonly #indexes = new Map<string, number>();
  /** Titles without apostrophes, because formulas get one. */
  readonly #titles: Set<string>;
  /** True if there are fields without a column. */
  isFull = false;

  constructor(options: Options) {
    this.#options = options;
    this.#titles = new Set(options.reserved.map(plain));
  }

  /** Names of the fields, in the order of the columns. */
  get names(): readonly string[] {
    return [...this.#indexes.keys()];
  }

  /**
   * Finds the columns by reading all submissions: the fields of the form, then others as they appear. Yields the new
   * titles of each page.
   */
  async *find(deps: ExportDeps, span: ExportSpan, progress: Progress): AsyncGenerator<readonly string[]> {
    const { form, choice } = this.#options;
    yield this.#add(form.fields.map(({ name }) => name));
    const isKnown = choice !== null && !choice.others && [...choice.names].every((name) => this.#indexes.has(name));
    if (!isKnown) {
      const namesOnPage = (page: readonly StoredSubmission[]) =>
        mapYielding(page, (submission) => openOr(() => fieldNames(deps, submission), []));
      for await (const names of mapPages(deps, span, namesOnPage)) {
        progress.submissions += names.length;
        yield this.#add(names.flat());
      }
    }
    const atMost = progress.submissions || progress.atMost;
    Object.assign(progress, { step: 'writing', atMost, submissions: 0 });
  }

  /** Returns the values of a submission; null if it has unknown fields, because its spam flag changed. */
  read({ vault, log }: ExportDeps, submission: StoredSubmission): RowValues | null {
    const payload = readPayload(vault, log, submission);
    const files = readFiles(vault, log, submission);
    const isDamaged = payload === null || (submission.files !== null && files.length === 0);
    const values = new Map<string, PayloadValue[]>((payload ?? []).map(([name, value]) => [name, [value]]));
    for (const { field, name } of files) values.set(field, [...(values.get(field) ?? []), name]);

    const row = Array<PayloadValue | undefined>(this.#indexes.size).fill(undefined);
    const rest: Array<readonly [name: string, value: PayloadValue]> = [];
    for (const [name, [first = null, ...more]] of values) {
      if (!this.#isChosen(name)) continue;
      const index = this.#indexes.get(name);
      const value = more.length === 0 ? first : [first, ...more];
      if (index === undefined) rest.push([name, value]);
      else row[index] = value;
    }
    if (rest.length > 0 && !this.isFull) return null;
    const otherFields = rest.length === 0 ? '' : JSON.stringify(asObject(rest));
    return { values: row, otherFields, isDamaged, consent: readConsent(vault, log, submission)?.text ?? '' };
  }

  /** Adds a column for each new field and returns the new titles, which are unique. */
  #add(names: readonly string[]): string[] {
    const titles: string[] = [];
    for (const name of names) {
      if (this.#indexes.has(name) || !this.#isChosen(name)) continue;
      this.isFull = this.#indexes.size === MAX_FIELDS;
      if (this.isFull) break;
      const base = this.#options.titleOf(name);
      let title = base;
      for (let number = 2; this.#titles.has(plain(title)); number++) title = `${base} (${number})`;
      this.#titles.add(plain(title));
      this.#indexes.set(name, this.#indexes.size);
      titles.push(title);
    }
    return titles;
  }

  #isChosen(name: string): boolean {
    const { form, choice } = this.#options;
    if (choice === null || choice.names.has(name)) return true;
    return choice.others && !form.fields.some((field) => field.name === name);
  }
}

/** Returns the fields of a submission. Throws `UnreadableRecordError` if it is damaged. */
function fieldNames({ vault }: ExportDeps, submission: StoredSubmission): string[] {
  const names = openPayload(vault, submission).map(([name]) => name);
  return [...names, ...openFiles(vault, submission).map(({ field }) => field)];
}

const plain = (title: string): string => title.replaceAll("'", '');
