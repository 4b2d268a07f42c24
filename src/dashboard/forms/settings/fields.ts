import { DEFAULT_MAX_RATING, type FormField } from '../../../domain/fields/field-type.ts';
import { FIELD_TYPES, getFieldType } from '../../../domain/fields/field-types.ts';
import { exceededLimit, MAX_FORM_FIELDS, parseFields } from '../../../domain/fields/parse-fields.ts';
import type { Form, FormChanges } from '../../../domain/forms/form.ts';
import { type FieldErrors, parseInput } from '../../ui/parse-input.ts';
import type { Viewer } from '../../viewer.ts';
import { SETTINGS_TEXTS } from './texts.ts';

const MAX = String(DEFAULT_MAX_RATING);
/** Options are one per line. */
const EMPTY = {
  name: '',
  label: '',
  type: 'text',
  required: false,
  max_length: '',
  pattern: '',
  options: '',
  max: MAX,
};

/** Unchecked values of a field's inputs. */
export type Row = Readonly<typeof EMPTY>;

/** Unsaved fields of a form. Errors are by the id of the input, such as `name-0`. */
export type FieldsDraft = Readonly<{ rows: readonly Row[]; enforcesRules: boolean; errors: FieldErrors }>;

/** Returns the saved fields as a draft, with present names of types. */
export function getDraft({ fields, enforcesRules }: Pick<Form, 'fields' | 'enforcesRules'>): FieldsDraft {
  const rows = fields.map(({ type, max_length, pattern = '', options = [], max, ...field }) => ({
    ...field,
    type: FIELD_TYPES.find(({ alias }) => alias === type)?.name ?? type,
    max_length: String(max_length ?? ''),
    pattern,
    options: options.join('\n'),
    max: String(max ?? MAX),
  }));
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
  const pressed = ['up', 'down', 'remove', 'add'].find((name) => input.has(name));
  if (pressed === undefined) return null;
  const index = Number(input.get(pressed));
  if (pressed === 'add') rows.push(EMPTY);
  else {
    const [row] = rows.splice(index, 1);
    if (row && pressed === 'up') rows.splice(Math.max(0, index - 1), 0, row);
    if (row && pressed === 'down') rows.splice(index + 1, 0, row);
  }
  return { ...draft, rows };
}

/** Result of validating a draft. If `changes` is null, the draft has errors. */
type Validated = Readonly<{ changes: FormChanges | null; draft: FieldsDraft }>;

/** Validates a draft without its empty rows. */
export function validateDraft(draft: FieldsDraft, viewer: Viewer): Validated {
  const { errors: t } = SETTINGS_TEXTS[viewer.language];
  const rows = draft.rows.filter(({ name, label, max_length, pattern, options }) =>
    `${name}${label}${max_length}${pattern}${options}`.trim(),
  );
  const errors: Record<string, string> = {};
  const names = new Set<string>();
  for (const [index, row] of rows.entries()) {
    const field = getField(row);
    for (const [property, error] of Object.entries(getErrors(field, viewer))) errors[`${property}-${index}`] = error;
    if (names.has(field.name)) errors[`name-${index}`] ??= t.fieldNameTwice;
    names.add(field.name);
  }
  if (rows.length > MAX_FORM_FIELDS) errors[`name-${MAX_FORM_FIELDS}`] = t.fieldTooMany;
  // The size of a broken pattern is unknown.
  const exceeded = Object.keys(errors).length > 0 ? null : exceededLimit(rows.map(getField));
  if (exceeded) errors['name-0'] = t.fieldsExceeded[exceeded];
  const validated = { ...draft, rows, errors };
  if (Object.keys(errors).length > 0) return { changes: null, draft: validated };
  const fields = parseFields(JSON.stringify(rows.map(getField)));
  return { changes: { fields, enforcesRules: draft.enforcesRules }, draft: validated };
}

const PROPERTIES = ['name', 'label', 'type', 'max_length', 'pattern', 'options', 'max'] as const;

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

function getField({ name, label, type, required, max_length, pattern, options, max }: Row): FormField {
  const { setting } = getFieldType({ type });
  return {
    name: name.trim(),
    label: label.trim(),
    type,
    required,
    ...(max_length.trim() !== '' && { max_length: Number(max_length) }),
    ...(pattern !== '' && { pattern }),
    ...(setting === 'options' && { options: toLines(options) }),
    ...(setting === 'max' && { max: Number(max) }),
  };
}

function toLines(text: string): string[] {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.filter((line) => line !== '');
}
