import { stringify } from 'csv-stringify/sync';
import type { Form } from '../../domain/forms/form.ts';
import { asText, type PayloadValue, type StoredSubmission } from '../../domain/submissions/submission.ts';
import { formatTime } from '../../lib/clock.ts';
import { mapYielding } from '../../lib/map-yielding.ts';
import type { ExportSpan } from '../../storage/records.ts';
import { type Export, type ExportDeps, mapPages } from './export.ts';
import { Columns, type FieldChoice, type RowValues } from './export-columns.ts';
import { disarm, disarmForPeople } from './formulas.ts';
import { LIST_SEPARATOR, Spreadsheet, type SpreadsheetOptions } from './spreadsheet.ts';

const FIRST_COLUMNS = ['id', 'created_at', 'is_spam', 'is_damaged', 'maybe_spam'];
const LAST_COLUMNS = ['other_fields', 'confirmed_at', 'consent'] as const;

/** UTF-8 marker for spreadsheets. */
const BYTE_ORDER_MARK = '\ufeff';
const LINE_END = '\r\n';

/** A kind of CSV: its fixed columns, and the cells of a submission. */
type Kind = Readonly<{
  columns: Columns;
  first: readonly string[];
  /** Columns after the fields, once these are known. */
  last: () => readonly string[];
  row: (submission: StoredSubmission, values: RowValues) => readonly string[];
  /** Writes cells, with formulas disarmed. */
  cells: (texts: readonly string[]) => string;
}>;

/**
 * Exports CSV for programs: names of fields as titles, times in UTC, values as submitted. The last columns are proofs, if the
 * form asks for them or has consents from before.
 */
export function csvExport(
  form: Pick<Form, 'fields' | 'confirmAddress' | 'consentText'>,
  choice: FieldChoice | null = null,
): Export {
  return writeCsv(async ({ store }, { formId }) => {
    const hasConsents = form.consentText !== null || (await store.forms.hasConsents(formId));
    const reserved = [...FIRST_COLUMNS, ...LAST_COLUMNS];
    const columns = new Columns({ form, choice, reserved, titleOf: (name) => name });
    const isLast = (column: (typeof LAST_COLUMNS)[number]) =>
      ({ other_fields: columns.isFull, confirmed_at: form.confirmAddress, consent: hasConsents })[column];
    return {
      columns,
      first: FIRST_COLUMNS,
      last: () => LAST_COLUMNS.filter(isLast),
      row: ({ id, createdAt, isSpam, isMaybeSpam, confirmedAt }, { values, otherFields, isDamaged, consent }) => {
        const own = [id, formatTime(createdAt), String(isSpam), String(isDamaged), String(isMaybeSpam)];
        const confirmed_at = confirmedAt === null ? '' : formatTime(confirmedAt);
        const last = { other_fields: otherFields, confirmed_at, consent };
        return [...own, ...values.map(cellText), ...LAST_COLUMNS.filter(isLast).map((column) => last[column])];
      },
      cells: (texts) => stringify([texts.map(disarm)], { escape_formulas: true, eof: false }),
    };
  });
}

/** Exports CSV for people: labels as titles, local times, yes and no in words. */
export function spreadsheetCsvExport(options: SpreadsheetOptions): Export {
  return writeCsv(() => {
    const sheet = new Spreadsheet(options);
    return {
      columns: sheet.columns,
      first: sheet.first,
      last: () => sheet.last,
      row: (submission, values) => sheet.row(submission, values).map(({ text }) => text),
      cells: (texts) => stringify([texts.map(disarmForPeople)], { eof: false }),
    };
  });
}

/**
 * Exports CSV (RFC 4180) with a column for each field of the form and of its submissions. It reads all submissions
 * twice and sends column titles as it finds them, so that the connection never idles for long.
 */
function writeCsv(newKind: (deps: ExportDeps, span: ExportSpan) => Kind | Promise<Kind>): Export {
  return async function* (deps, span, progress) {
    const { columns, first, last, row, cells } = await newKind(deps, span);
    const moreCells = (texts: readonly string[]) => (texts.length === 0 ? '' : `,${cells(texts)}`);
    yield BYTE_ORDER_MARK + cells(first);
    for await (const titles of columns.find(deps, span, progress)) yield moreCells(titles);
    yield moreCells(last()) + LINE_END;

    yield* mapPages(deps, span, async (page) => {
      const lines = await mapYielding(page, (submission) => {
        const values = columns.read(deps, submission);
        return values && cells(row(submission, values)) + LINE_END;
      });
      progress.submissions += page.length;
      return lines.join('');
    });
  };
}

/** Returns a flat list joined by semicolons, other structures as JSON. */
function cellText(value: PayloadValue | undefined): string {
  if (Array.isArray(value) && value.every((item) => item === null || typeof item !== 'object')) {
    return value.map((item) => item ?? '').join(LIST_SEPARATOR);
  }
  return asText(value);
}
