import type { Context } from '../../../context/context.ts';
import { takesFiles } from '../../../domain/fields/field-types.ts';
import type { Form } from '../../../domain/forms/form.ts';
import { readExcerpt } from '../../../services/submissions/read-submission.ts';
import type { InboxRow } from './row.ts';

/** Columns of a table whose user has chosen none. */
const DEFAULT_COLUMNS = 5;
/** Fields that the picker offers. */
const MAX_FIELDS = 50;
/** Submissions whose fields are offered for a form without configured ones. */
const SAMPLE = 10;

/** Returns the names of the fields that can be columns: the configured ones, else those of the latest submissions. */
export async function fieldNames({ store, vault, log }: Context, form: Form): Promise<readonly string[]> {
  const configured = form.fields.filter((field) => !takesFiles(field)).map(({ name }) => name);
  if (configured.length > 0) return configured.slice(0, MAX_FIELDS);
  const selection = { formIds: [form.id], part: 'inbox', from: null, until: null } as const;
  const times = await store.inbox.listTimes(selection, { before: Number.MAX_SAFE_INTEGER, limit: SAMPLE });
  const names = new Set<string>();
  for (const at of times) {
    const [submission] = await store.inbox.findSubmissionsAt([at]);
    for (const [name] of (submission && readExcerpt(vault, log, submission)) ?? []) names.add(name);
  }
  return [...names].slice(0, MAX_FIELDS);
}

/** Returns the columns of a table: the chosen fields that still exist, else the first ones. */
export function getColumns(names: readonly string[], chosen: readonly string[]): readonly string[] {
  const existing = names.filter((name) => chosen.includes(name));
  return existing.length > 0 ? existing : names.slice(0, DEFAULT_COLUMNS);
}

/** Returns the heading of a column. */
export function getLabel({ fields }: Form, name: string): string {
  return fields.find((field) => field.name === name)?.label || name;
}

/** Sorts rows by a column, with numbers in text by their value and empty values last. */
export function sortRows(
  rows: readonly InboxRow[],
  column: number,
  order: 'up' | 'down',
  language: string,
): readonly InboxRow[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const sign = order === 'up' ? 1 : -1;
  const toCell = ({ cells }: InboxRow) => cells[column]?.text ?? '';
  return rows.toSorted((a, b) => {
    const [left, right] = [toCell(a), toCell(b)];
    if (left === '' || right === '') return Number(left === '') - Number(right === '');
    return sign * compare(left, right);
  });
}
