/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { CONDITION_TESTS } from '../../domain/forms/condition.ts';
import type { Form } from '../../domain/forms/form.ts';
import type { Viewer } from '../viewer.ts';
import type { ConditionRow } from './condition-rows.ts';
import { LineInput, SelectInput, TextInput } from './form-inputs.tsx';
import type { FieldErrors } from './parse-input.ts';

/** Visible lines of a value. */
const MAX_ROWS = 6;

type Props = Readonly<{ viewer: Viewer; row: ConditionRow; index: number; errors: FieldErrors }>;

/** The inputs of one condition. The page needs `KnownFields` once. */
export function ConditionInputs({ viewer, row, index, errors }: Props) {
  const { webhooks: t } = viewer.texts;
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
