import { stringify } from 'csv-stringify/sync';
import type { Form } from '../domain/form.ts';
import type { PayloadValue, StoredSubmission } from '../domain/submission.ts';
import { formatTime } from '../lib/clock.ts';
import { mapYielding } from '../lib/map-yielding.ts';
import { openFiles, openOr, openPayload } from '../vault/open-submission.ts';
import { type Export, type ExportDeps, mapPages } from './export.ts';
import { readFiles, readPayload } from './read-submission.ts';
import { asObject } from './serialize-submission.ts';

/** Columns for fields, as many as one submission can have. Further fields share the last column, as JSON. */
const MAX_FIELDS = 1_000;
const FIRST_COLUMNS = ['id', 'created_at', 'is_spam', 'is_damaged'];
const LAST_COLUMN = 'other_fields';

/** UTF-8 marker for spreadsheets. */
const BYTE_ORDER_MARK = '\ufeff';
const LINE_END = '\r\n';
const LIST_SEPARATOR = '; ';

/**
 * Exports CSV (RFC 4180) with a column for each field of the form and of its submissions. It reads all submissions
 * twice and sends column names as it finds them, so that the connection never idles for long. Formulas, also inside a
 * cell, are disarmed with an apostrophe.
 */
export function csvExport(form: Form): Export {
  return async function* (deps, span, progress) {
    const columns = new Columns();
    yield BYTE_ORDER_MARK + cells(FIRST_COLUMNS);
    yield moreCells(columns.add(form.fields.map(({ name }) => name)));
    const namesOnPage = (page: readonly StoredSubmission[]) =>
      mapYielding(page, (submission) => openOr(() => fieldNames(deps, submission), []));
    for await (const names of mapPages(deps, span, namesOnPage)) {
      progress.submissions += names.length;
      yield moreCells(columns.add(names.flat()));
    }
    yield moreCells(columns.isFull ? [LAST_COLUMN] : []) + LINE_END;

    Object.assign(progress, { step: 'writing', atMost: progress.submissions, submissions: 0 });
    yield* mapPages(deps, span, async (page) => {
      const rows = await mapYielding(page, (submission) => columns.row(deps, submission));
      progress.submissions += page.length;
      return rows.map((row) => row && cells(row) + LINE_END).join('');
    });
  };
}

/**
 * A formula at the start of a text or after a semicolon or line break, where spreadsheets in locales with semicolon lists
 * end the cell. White space and invisible characters may precede it, because some programs drop them. `+` and `-` are
 * harmless without a call or a reference to a program or file.
 */
const FORMULA = /(?<=(?:^|[;\r\n])[\s\p{C}\p{DI}]*)(?:[=@＝＠]|[+\-＋－](?=[^;\r\n]*[(|!]))/gu;

function cells(texts: readonly string[]): string {
  const disarmed = texts.map((text) => text.replace(FORMULA, "'$&"));
  return stringify([disarmed], { escape_formulas: true, eof: false });
}

function moreCells(texts: readonly string[]): string {
  return texts.length === 0 ? '' : `,${cells(texts)}`;
}

/** Returns the fields of a submission. Throws `UnreadableRecordError` if it is damaged. */
function fieldNames({ vault }: ExportDeps, submission: StoredSubmission): string[] {
  const names = openPayload(vault, submission).map(([name]) => name);
  return [...names, ...openFiles(vault, submission).map(({ field }) => field)];
}

class Columns {
  readonly #indexes = new Map<string, number>();
  /** Titles without apostrophes, because `cells` may add one. */
  readonly #titles = new Set([...FIRST_COLUMNS, LAST_COLUMN]);
  /** True if there are fields without a column. */
  isFull = false;

  /** Adds a column for each new field and returns the new titles, which are unique. */
  add(names: readonly string[]): string[] {
    const titles: string[] = [];
    for (const name of names) {
      if (this.#indexes.has(name)) continue;
      this.isFull = this.#indexes.size === MAX_FIELDS;
      if (this.isFull) break;
      let title = name;
      for (let number = 2; this.#titles.has(plain(title)); number++) title = `${name} (${number})`;
      this.#titles.add(plain(title));
      this.#indexes.set(name, this.#indexes.size);
      titles.push(title);
    }
    return titles;
  }

  /** Returns the cells of a submission; null if it has unknown fields, because its spam flag changed. */
  row({ vault, log }: ExportDeps, submission: StoredSubmission): string[] | null {
    const payload = readPayload(vault, log, submission);
    const files = readFiles(vault, log, submission);
    const isDamaged = payload === null || (submission.files !== null && files.length === 0);
    const values = new Map<string, PayloadValue[]>((payload ?? []).map(([name, value]) => [name, [value]]));
    for (const { field, name } of files) values.set(field, [...(values.get(field) ?? []), name]);

    const row = Array<string>(this.#indexes.size).fill('');
    const others: Array<readonly [name: string, value: PayloadValue]> = [];
    for (const [name, [first = null, ...more]] of values) {
      const index = this.#indexes.get(name);
      const value = more.length === 0 ? first : [first, ...more];
      if (index === undefined) others.push([name, value]);
      else row[index] = cellText(value);
    }
    if (others.length > 0 && !this.isFull) return null;
    const last = this.isFull ? [others.length === 0 ? '' : JSON.stringify(asObject(others))] : [];
    const { id, createdAt, isSpam } = submission;
    return [id, formatTime(createdAt), String(isSpam), String(isDamaged), ...row, ...last];
  }
}

function plain(title: string): string {
  return title.replaceAll("'", '');
}

/** Returns a flat list joined by semicolons, other structures as JSON. */
function cellText(value: PayloadValue): string {
  if (Array.isArray(value) && value.every((item) => item === null || typeof item !== 'object')) {
    return value.map((item) => item ?? '').join(LIST_SEPARATOR);
  }
  return value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
}
