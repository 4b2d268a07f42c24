import { DEFAULT_MAX_RATING, type FormField } from '../../../domain/fields/field-type.ts';
import { FIELD_TYPES, getFieldType } from '../../../domain/fields/field-types.ts';
import { exceededLimit, MAX_FORM_FIELDS, parseFields } from '../../../domain/fields/parse-fields.ts';
import type { Form, FormChanges } from '../../../domain/forms/form.ts';
import { toLines } from '../../ui/condition-inputs.tsx';
import { type FieldErrors, parseInput } from '../../ui/parse-input.ts';
import type { Viewer } from '../../viewer.ts';
import { SETTINGS_TEXTS } from './texts.ts';

const MAX = String(DEFAULT_MAX_RATING);
/** Options are one per line. */
const EMPTY = {
  name: '',
  label: '',
  help: '',
  placeholder: '',
  type: 'text',
  required: false,
  max_length: '',
  pattern: '',
  options: '',
  max: MAX,
};

/** Unchecked values of a field's inputs. */
export type Row = Readonly<typeof EMPTY>;

/** Type of a row that is not a field, but the heading of the next one. */
export const HEADING = 'heading';

/** Unsaved fields of a form. Errors are by the id of the input, such as `name-0`. The row `open` is expanded. */
export type FieldsDraft = Readonly<{
  rows: readonly Row[];
  enforcesRules: boolean;
  errors: FieldErrors;
  open?: number;
}>;

/** Returns the saved fields as a draft, with present names of types. */
export function getDraft({ fields, enforcesRules }: Pick<Form, 'fields' | 'enforcesRules'>): FieldsDraft {
  const rows = fields.flatMap(({ type, max_length, options = [], max, heading, ...field }) => {
    const row = {
      ...EMPTY,
      ...field,
      type: FIELD_TYPES.find(({ alias }) => alias === type)?.name ?? type,
      max_length: String(max_length ?? ''),
      options: options.join('\n'),
      max: String(max ?? MAX),
    };
    return heading === undefined ? [row] : [{ ...EMPTY, type: HEADING, label: heading }, row];
  });
  return { rows, enforcesRules, errors: {} };
}

/** Reads the draft that the editor submitted. */
export function readDraft(input: URLSearchParams): FieldsDraft {
  const required = new Set(input.getAll('required'));
  const { required: _, ...inputs } = { ...EMPTY, type: '' };
  const columns = Object.entries(inputs).map(([name, missing]) => [name, input.getAll(name), missing] as const);
  // One field over the limit is enough to report it.
  const names = input.getAll('name').slice(0, MAX_FORM_FIELDS + 1);
  const rows = names.map((_, index) => {
    const texts = Object.fromEntries(columns.map(([name, values, missing]) => [name, values[index] ?? missing]));
    return { ...EMPTY, ...texts, required: required.has(String(index)) };
  });
  return { rows, enforcesRules: input.has('enforcesRules'), errors: {} };
}

/** Applies the pressed button to the draft: move, remove or add. Returns null if "Save" was pressed. */
export function editDraft(draft: FieldsDraft, input: URLSearchParams): FieldsDraft | null {
  const rows: Row[] = [...draft.rows];
  const pressed = ['up', 'down', 'move', 'remove', 'add', 'heading', 'insert'].find((name) => input.has(name));
  if (pressed === undefined) return null;
  const [from = 0, to = 0] = (input.get(pressed) ?? '').split('-').map(Number);
  const clamp = (index: number) => Math.max(0, Math.min(index || 0, rows.length));
  if (pressed === 'add' || pressed === 'heading' || pressed === 'insert') {
    const open = pressed === 'insert' ? clamp(from) : rows.length;
    return {
      ...draft,
      rows: rows.toSpliced(open, 0, { ...EMPTY, type: pressed === 'heading' ? HEADING : 'text' }),
      open,
    };
  }
  const [row] = rows.splice(from, 1);
  if (row === undefined || pressed === 'remove') return { ...draft, rows };
  const open = clamp(pressed === 'move' ? to : pressed === 'up' ? from - 1 : from + 1);
  return { ...draft, rows: rows.toSpliced(open, 0, row), open };
}

/** Returns the name of a field that has only a label: ASCII in snake case. */
export function toFieldName(label: string): string {
  const ascii = label.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase();
  return ascii
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, 40);
}

/** Returns rows with names from their labels where they have none. */
function withNames(rows: readonly Row[]): Row[] {
  const names = new Set(rows.map(({ name }) => name.trim()));
  return rows.map((row) => {
    const base = toFieldName(row.label) || 'field';
    if (row.name.trim() !== '' || row.label.trim() === '' || row.type === HEADING) return row;
    let name = base;
    for (let next = 2; names.has(name); next++) name = `${base}_${next}`;
    names.add(name);
    return { ...row, name };
  });
}

/** Returns the fields of a draft as they are, valid or not, for the preview. */
export const previewFields = ({ rows }: FieldsDraft): FormField[] => toFields(withNames(rows));

function toFields(rows: readonly Row[]): FormField[] {
  return rows.flatMap((row, index) => {
    const heading = rows[index - 1]?.type === HEADING ? rows[index - 1]?.label.trim() : '';
    return row.type === HEADING ? [] : [{ ...getField(row), ...(heading && { heading }) }];
  });
}

/** Result of validating a draft. If `changes` is null, the draft has errors. */
type Validated = Readonly<{ changes: FormChanges | null; draft: FieldsDraft }>;

/** Validates a draft without its empty rows. */
export function validateDraft(draft: FieldsDraft, viewer: Viewer): Validated {
  const { errors: t } = SETTINGS_TEXTS[viewer.language];
  const filled = draft.rows.filter(({ name, label, max_length, pattern, options, help, placeholder }) =>
    [name, label, max_length, pattern, options, help, placeholder].some((text) => text.trim() !== ''),
  );
  const rows = withNames(filled);
  const errors: Record<string, string> = {};
  const names = new Set<string>();
  for (const [index, row] of rows.entries()) {
    const field = getField(row);
    if (row.type === HEADING) {
      if (field.label.length > 256) errors[`label-${index}`] = t.label;
      else if ((rows[index + 1]?.type ?? HEADING) === HEADING) errors[`label-${index}`] = t.headingAlone;
      continue;
    }
    for (const [property, error] of Object.entries(getErrors(field, viewer))) errors[`${property}-${index}`] = error;
    if (names.has(field.name)) errors[`name-${index}`] ??= t.fieldNameTwice;
    names.add(field.name);
  }
  if (rows.length > MAX_FORM_FIELDS) errors[`name-${MAX_FORM_FIELDS}`] = t.fieldTooMany;
  // The size of a broken pattern is unknown.
  const exceeded = Object.keys(errors).length > 0 ? null : exceededLimit(toFields(rows));
  if (exceeded) errors['name-0'] = t.fieldsExceeded[exceeded];
  const validated = { ...draft, rows, errors };
  if (Object.keys(errors).length > 0) return { changes: null, draft: validated };
  const fields = parseFields(JSON.stringify(toFields(rows)));
  return { changes: { fields, enforcesRules: draft.enforcesRules }, draft: validated };
}

const PROPERTIES = ['name', 'label', 'help', 'placeholder', 'type', 'max_length', 'pattern', 'options', 'max'] as const;

/** Returns the errors of a field by property. */
function getErrors(field: FormField, { texts, language }: Viewer): FieldErrors {
  const needsOptions = getFieldType(field).setting === 'options';
  const isWrong = (property: (typeof PROPERTIES)[number]) => {
    const own = property === 'options' || property === 'max' ? { type: field.type } : {};
    const needed = property === 'type' && needsOptions ? { options: ['any'] } : {};
    const alone = { name: 'any', ...own, ...needed, [property]: field[property] };
    return field[property] !== undefined && 'error' in parseInput(texts, () => parseFields(JSON.stringify([alone])));
  };
  return Object.fromEntries(
    PROPERTIES.filter(isWrong).map((property) => [property, SETTINGS_TEXTS[language].errors[property]]),
  );
}

function getField(row: Row): FormField {
  const { name, label, help, placeholder, type, required, max_length, pattern, options, max } = row;
  const { setting } = getFieldType({ type });
  return {
    name: name.trim(),
    label: label.trim(),
    type,
    required,
    ...(help.trim() !== '' && { help: help.trim() }),
    ...(placeholder.trim() !== '' && { placeholder: placeholder.trim() }),
    ...(max_length.trim() !== '' && { max_length: Number(max_length) }),
    ...(pattern !== '' && { pattern }),
    ...(setting === 'options' && { options: toLines(options) }),
    ...(setting === 'max' && { max: Number(max) }),
  };
}
