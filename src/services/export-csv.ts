import { stringify } from 'csv-stringify/sync';
import type { Form } from '../domain/form.ts';
import type { PayloadValue, StoredSubmission } from '../domain/submission.ts';
import { formatTime } from '../lib/clock.ts';
import { mapYielding } from '../lib/map-yielding.ts';
import { filesAad, payloadAad, UnreadableRecordError } from '../vault/vault.ts';
import { type Export, type ExportDeps, ofEachPage } from './export.ts';
import { readFiles, readPayload } from './read-submission.ts';
import { asObject } from './serialize-submission.ts';

/** As many as the fields of one submission. Those beyond share the last column, as JSON. */
const MAX_FIELDS = 1_000;
const FIRST_COLUMNS = ['id', 'created_at', 'is_spam', 'is_damaged'];
const LAST_COLUMN = 'other_fields';

/** By it spreadsheets take a file for UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';
const LINE_END = '\r\n';
const JOINT = '; ';

/**
 * CSV by RFC 4180, with a column for each field of the form and for each that was ever filled in. All is read twice, first for
 * the names of columns, which are written as they are found: a connection must not be silent for long. A cell that a
 * spreadsheet would take for a formula begins with an apostrophe, and so does one inside of a text.
 */
export function csvOf(form: Form): Export {
  return async function* (deps, span, progress) {
    const columns = new Columns();
    yield BYTE_ORDER_MARK + cells(FIRST_COLUMNS);
    yield further(columns.add(form.fields.map(({ name }) => name)));
    for await (const names of ofEachPage(deps, span, (page) => mapYielding(page, (one) => namesIn(deps, one)))) {
      progress.submissions += names.length;
      yield further(columns.add(names.flat()));
    }
    yield further(columns.isFull ? [LAST_COLUMN] : []) + LINE_END;

    Object.assign(progress, { step: 'writing', atMost: progress.submissions, submissions: 0 });
    yield* ofEachPage(deps, span, async (page) => {
      const rows = await mapYielding(page, (one) => columns.row(deps, one));
      progress.submissions += page.length;
      return rows.map((row) => row && cells(row) + LINE_END).join('');
    });
  };
}

/**
 * Where lists are written with semicolons, spreadsheets take a semicolon or a line break in a text for the end of a cell. What
 * follows is harmless without `=` or `@`, a call, or a reference to a program or a file.
 */
const FORMULA_INSIDE = /(?<=[;\r\n][^\S\r\n]*)(?:[=@＝＠]|[+\-＋－](?=[^;\r\n]*[(|!]))/g;

function cells(texts: readonly string[]): string {
  const harmless = texts.map((text) => text.replace(FORMULA_INSIDE, "'$&"));
  return stringify([harmless], { escape_formulas: true, eof: false });
}

function further(texts: readonly string[]): string {
  return texts.length === 0 ? '' : `,${cells(texts)}`;
}

/** What a submission has values for. None if it was damaged: the second reading tells. */
function namesIn({ vault }: ExportDeps, { id, formId, payload, files }: StoredSubmission): string[] {
  try {
    const names = vault.openPayload(payload, payloadAad(id, formId)).map(([name]) => name);
    if (files === null) return names;
    return [...names, ...vault.openFiles(files, filesAad(id, formId)).map(({ field }) => field)];
  } catch (error) {
    if (error instanceof UnreadableRecordError) return [];
    throw error;
  }
}

class Columns {
  readonly #places = new Map<string, number>();
  /** Without their apostrophes, as some get one more in `cells`. */
  readonly #titles = new Set([...FIRST_COLUMNS, LAST_COLUMN]);
  /** Whether there are fields without a column. */
  isFull = false;

  /** The titles of those that are new. No two columns have the same. */
  add(names: readonly string[]): string[] {
    const titles: string[] = [];
    for (const name of names) {
      if (this.#places.has(name)) continue;
      this.isFull = this.#places.size === MAX_FIELDS;
      if (this.isFull) break;
      let title = name;
      for (let number = 2; this.#titles.has(plain(title)); number++) title = `${name} (${number})`;
      this.#titles.add(plain(title));
      this.#places.set(name, this.#places.size);
      titles.push(title);
    }
    return titles;
  }

  /** Null for one that the first reading did not see, because it was spam then, or was not: it may have other fields. */
  row({ vault, log }: ExportDeps, submission: StoredSubmission): string[] | null {
    const payload = readPayload(vault, log, submission);
    const files = readFiles(vault, log, submission);
    const isDamaged = payload === null || (submission.files !== null && files.length === 0);
    const values = new Map<string, PayloadValue[]>((payload ?? []).map(([name, value]) => [name, [value]]));
    for (const { field, name } of files) values.set(field, [...(values.get(field) ?? []), name]);

    const own = Array<string>(this.#places.size).fill('');
    const others: Array<readonly [name: string, value: PayloadValue]> = [];
    for (const [name, [first = null, ...more]] of values) {
      const place = this.#places.get(name);
      const value = more.length === 0 ? first : [first, ...more];
      if (place === undefined) others.push([name, value]);
      else own[place] = cellText(value);
    }
    if (others.length > 0 && !this.isFull) return null;
    const last = this.isFull ? [others.length === 0 ? '' : JSON.stringify(asObject(others))] : [];
    const { id, createdAt, isSpam } = submission;
    return [id, formatTime(createdAt), String(isSpam), String(isDamaged), ...own, ...last];
  }
}

function plain(title: string): string {
  return title.replaceAll("'", '');
}

/** Lists as people write them, as long as nothing is nested. */
function cellText(value: PayloadValue): string {
  if (Array.isArray(value) && value.every((item) => item === null || typeof item !== 'object')) {
    return value.map((item) => item ?? '').join(JOINT);
  }
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
}
