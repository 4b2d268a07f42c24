/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { CONDITION_TESTS, type Condition, getTest } from '../../domain/forms/condition.ts';
import type { Form } from '../../domain/forms/form.ts';
import type { Viewer } from '../viewer.ts';
import { WEBHOOKS_TEXTS } from '../webhooks/texts.ts';
import { LineInput, SelectInput, TextInput } from './form-inputs.tsx';
import type { FieldErrors } from './parse-input.ts';

/** Visible lines of a value. */
const MAX_ROWS = 6;

type Props = Readonly<{ viewer: Viewer; row: ConditionRow; index: number; errors: FieldErrors }>;

/** The inputs of one condition. The page needs `KnownFields` once. */
export function ConditionInputs({ viewer, row, index, errors }: Props) {
  const t = WEBHOOKS_TEXTS[viewer.language];
  const getInput = (name: 'field' | 'test' | 'value') => {
    const id = `${name}-${index}`;
    return { name, id, label: t[name], value: row[name], error: errors[id] };
  };
  return (
    <>
      <LineInput {...getInput('field')} list="known-fields" spellcheck={false} autocapitalize="none" />
      <SelectInput {...getInput('test')} options={CONDITION_TESTS.map((test) => [test, t.tests[test]])} />
      <TextInput {...getInput('value')} rows={Math.min(row.value.split('\n').length, MAX_ROWS)} />
    </>
  );
}

/** Suggestions for the fields of conditions. */
export function KnownFields({ form }: Readonly<{ form: Form }>) {
  return (
    <datalist id="known-fields">
      {form.fields.map(({ name, label }) => (
        <option value={name}>{label}</option>
      ))}
    </datalist>
  );
}

/** Unchecked inputs of a condition. */
export type ConditionRow = Readonly<{ field: string; test: string; value: string }>;

export const NO_CONDITION: ConditionRow = { field: '', test: 'is', value: '' };

/** Returns a saved condition as inputs: several values are one per line. */
export function toRow(condition: Condition): ConditionRow {
  const { test, values } = getTest(condition);
  return { field: condition.field, test, value: values.join('\n') };
}

/** Reads the first `limit` rows that a page submitted. */
export function readRows(form: URLSearchParams, limit: number): ConditionRow[] {
  const [tests, values] = [form.getAll('test'), form.getAll('value')];
  const fields = form.getAll('field').slice(0, limit);
  return fields.map((field, index) => {
    const value = (values[index] ?? '').replaceAll('\r\n', '\n');
    return { field, test: tests[index] ?? '', value };
  });
}

export const isBlank = ({ field, value }: ConditionRow): boolean => `${field}${value}`.trim() === '';

/** Returns the condition of a row, not validated. */
export function getCondition({ field, test, value }: ConditionRow): Readonly<Record<string, unknown>> {
  const operator = CONDITION_TESTS.find((name) => name === test) ?? 'is';
  return { field: field.trim(), [operator]: operator === 'is_one_of' ? toLines(value) : value.trim() };
}

/** Returns the lines of a text without empty ones. */
export function toLines(text: string): string[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
