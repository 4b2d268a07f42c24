import type { Form } from '../../domain/forms/form.ts';
import { startOfDate } from '../../domain/users/time-zone.ts';
import type { FieldChoice } from '../../services/exports/export-columns.ts';
import type { ExportSpan, ExportState } from '../../storage/records.ts';
import type { Viewer } from '../viewer.ts';

export const STATES: readonly ExportState[] = ['genuine', 'maybe', 'spam', 'all', 'trashed'];

/** Values of the inputs; `from` and `to` are dates, or empty for no limit. `choice` is null for all columns. */
export type Input = Readonly<{ state: ExportState; from: string; to: string; choice: FieldChoice | null }>;

/** Reads the inputs from the query, with defaults. */
export function getInput(query: URLSearchParams): Input {
  return {
    state: STATES.find((state) => state === query.get('state')) ?? 'genuine',
    from: (query.get('from') ?? '').trim(),
    to: (query.get('to') ?? '').trim(),
    choice: query.has('columns') ? { names: new Set(query.getAll('column')), others: query.has('others') } : null,
  };
}

/** Returns the selected submissions, from the start of the first day to the end of the last, or an error. */
export function getSelection(
  { timeZone, texts }: Viewer,
  form: Form,
  { state, from, to }: Input,
): ExportSpan | Readonly<{ error: string }> {
  const begin = from === '' ? 0 : startOfDate(from, timeZone);
  const end = to === '' ? Number.MAX_SAFE_INTEGER : startOfDate(to, timeZone, 1);
  if (begin === null || end === null) return { error: texts.exportForm.noDate };
  if (begin >= end) return { error: texts.exportForm.reversed };
  return { formId: form.id, state, from: begin, until: end };
}
