/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { CONDITION_TESTS } from '../../../domain/condition.ts';
import type { Form } from '../../../domain/form.ts';
import { LineInput, SelectInput, TextInput } from '../../ui/form-inputs.tsx';
import type { FieldErrors } from '../../ui/parse-input.ts';
import type { Viewer } from '../../viewer.ts';
import type { ConditionRow } from './draft.ts';

/** Visible lines of a value. */
const MAX_ROWS = 6;

type Props = Readonly<{
  viewer: Viewer;
  form: Form;
  conditions: readonly ConditionRow[];
  errors: FieldErrors;
  /** Address that the buttons submit the whole draft to. */
  action: string;
}>;

/** The editor of conditions. It works without script: each button submits the draft and gets a new page. */
export function ConditionsEditor(props: Props) {
  const { viewer, form, conditions, action } = props;
  const { webhooks: t } = viewer.texts;
  return (
    <fieldset>
      <legend>{t.conditions}</legend>
      <p class="soft small">{t.conditionsText}</p>
      <datalist id="known-fields">
        {form.fields.map(({ name, label }) => (
          <option value={name}>{label}</option>
        ))}
      </datalist>
      {conditions.length > 0 && (
        <ol class="rows">
          {conditions.map((row, index) => (
            <RowItem row={row} index={index} {...props} />
          ))}
        </ol>
      )}
      <div class="row">
        <button
          class="quiet"
          name="add"
          value="yes"
          id="add"
          formnovalidate
          formaction={`${action}#field-${conditions.length}`}
        >
          {t.addCondition}
        </button>
        <button class="quiet" name="try" value="yes" formnovalidate formaction={`${action}#tried`}>
          {t.tryConditions}
        </button>
      </div>
      <span class="hint">{t.tryHint}</span>
    </fieldset>
  );
}

function RowItem(props: Props & Readonly<{ row: ConditionRow; index: number }>) {
  const { viewer, conditions, errors, action, row, index } = props;
  const { webhooks: t } = viewer.texts;
  const inputOf = (name: 'field' | 'test' | 'value') => {
    const id = `${name}-${index}`;
    return { name, id, label: t[name], value: row[name], error: errors[id] };
  };
  const last = conditions.length - 1;
  const next = last === 0 ? 'add' : `field-${Math.min(index, last - 1)}`;
  return (
    <li>
      <fieldset>
        <legend>{t.condition(index + 1)}</legend>
        <div class="columns">
          <LineInput {...inputOf('field')} list="known-fields" spellcheck={false} autocapitalize="none" />
          <SelectInput {...inputOf('test')} options={CONDITION_TESTS.map((test) => [test, t.tests[test]])} />
          <TextInput {...inputOf('value')} rows={Math.min(row.value.split('\n').length, MAX_ROWS)} />
        </div>
        <button
          class="quiet"
          name="remove"
          value={String(index)}
          aria-label={t.of(t.removeCondition, t.condition(index + 1))}
          formnovalidate
          formaction={`${action}#${next}`}
        >
          {t.removeCondition}
        </button>
      </fieldset>
    </li>
  );
}
