/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../domain/forms/form.ts';
import { ConditionInputs, type ConditionRow, KnownFields } from '../ui/condition-inputs.tsx';
import type { FieldErrors } from '../ui/parse-input.ts';
import type { Viewer } from '../viewer.ts';
import { WEBHOOKS_TEXTS } from './texts.ts';

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
  const t = WEBHOOKS_TEXTS[viewer.language];
  return (
    <fieldset>
      <legend>{t.conditions}</legend>
      <p class="soft small">{t.conditionsText}</p>
      <KnownFields form={form} />
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
  const t = WEBHOOKS_TEXTS[viewer.language];
  const last = conditions.length - 1;
  const next = last === 0 ? 'add' : `field-${Math.min(index, last - 1)}`;
  return (
    <li>
      <fieldset>
        <legend>{t.condition(index + 1)}</legend>
        <div class="columns">
          <ConditionInputs viewer={viewer} row={row} index={index} errors={errors} />
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
