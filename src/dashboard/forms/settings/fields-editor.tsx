/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { FIELD_TYPES } from '../../../domain/fields/field-types.ts';
import { CheckInput, Choice, LineInput, SelectInput, TextInput } from '../../ui/form-inputs.tsx';
import type { Viewer } from '../../viewer.ts';
import type { FieldsDraft, Row } from './fields.ts';
import { FIELD_TYPES_TEXTS, SETTINGS_TEXTS } from './texts.ts';

type Props = Readonly<{
  viewer: Viewer;
  draft: FieldsDraft;
  /** Address that the buttons submit the whole draft to. */
  action: string;
}>;

/** The editor of a form's fields. It works without script: each button submits the draft and gets a new page. */
export function FieldsEditor(props: Props) {
  const { viewer, draft, action } = props;
  const t = SETTINGS_TEXTS[viewer.language];
  const { rows, enforcesRules } = draft;
  return (
    <>
      {rows.length === 0 ? (
        <p class="soft">{t.noFields}</p>
      ) : (
        <ol class="rows">
          {rows.map((row, index) => (
            <RowItem row={row} index={index} {...props} />
          ))}
        </ol>
      )}
      <p>
        <button
          class="quiet"
          name="add"
          value="yes"
          id="add"
          formnovalidate
          formaction={`${action}#label-${rows.length}`}
        >
          {t.addField}
        </button>
      </p>
      <CheckInput
        name="enforcesRules"
        label={t.names.enforcesRules.label}
        hint={t.hints.enforcesRules}
        value={enforcesRules ? 'yes' : ''}
      />
    </>
  );
}

type RowProps = Props & Readonly<{ row: Row; index: number }>;

function RowItem(props: RowProps) {
  const { viewer, row, index } = props;
  const t = SETTINGS_TEXTS[viewer.language];
  const ofTypes = FIELD_TYPES_TEXTS[viewer.language];
  const types = FIELD_TYPES.map(({ name, label }): [string, string] => [name, label[viewer.language]]);
  const options = types.some(([name]) => name === row.type) ? types : [[row.type, row.type] as const, ...types];
  return (
    <li>
      <fieldset>
        <legend>{t.field(index + 1)}</legend>
        <div class="columns">
          <LineInput {...getInput(props, 'label')} label={t.label} />
          <LineInput {...getInput(props, 'name')} label={t.fieldName} spellcheck={false} autocapitalize="none" />
          <SelectInput {...getInput(props, 'type')} label={t.type} options={options} />
        </div>
        {/* Only some types have these. The style shows them when the type is chosen, so no script is needed. */}
        <div class="of-choice">
          <TextInput {...getInput(props, 'options')} label={ofTypes.options} hint={ofTypes.optionsHint} rows={4} />
        </div>
        <div class="of-rating">
          <SelectInput {...getInput(props, 'max')} label={ofTypes.max} options={RATINGS} />
        </div>
        <div class="row">
          <Choice name="required" value={String(index)} checked={row.required} text={t.required} />{' '}
          <RowButtons {...props} />
        </div>
        <Rules {...props} />
      </fieldset>
    </li>
  );
}

function getInput({ draft, row, index }: RowProps, name: Exclude<keyof Row, 'required'>) {
  const id = `${name}-${index}`;
  return { name, id, value: row[name], error: draft.errors[id] };
}

const RATINGS = Array.from({ length: 9 }, (_, index) => [String(index + 2), String(index + 2)] as const);

/** Moves or removes a row. The fragment focuses the next useful button on the new page. */
function RowButtons({ viewer, draft, row, index, action }: RowProps) {
  const t = SETTINGS_TEXTS[viewer.language];
  const last = draft.rows.length - 1;
  const title = row.label || row.name || t.field(index + 1);
  const buttons = [
    { name: 'up', fragment: index === 1 ? 'down-0' : `up-${index - 1}`, isDisabled: index === 0 },
    { name: 'down', fragment: index + 1 === last ? `up-${last}` : `down-${index + 1}`, isDisabled: index === last },
    { name: 'remove', fragment: last === 0 ? 'add' : `remove-${Math.min(index, last - 1)}`, isDisabled: false },
  ] as const;
  return (
    <>
      {buttons.map(({ name, fragment, isDisabled }) => (
        <>
          <button
            class="quiet"
            name={name}
            value={String(index)}
            id={`${name}-${index}`}
            aria-label={`${t[name]}: ${title}`}
            formnovalidate
            formaction={`${action}#${fragment}`}
            disabled={isDisabled}
          >
            {t[name]}
          </button>{' '}
        </>
      ))}
    </>
  );
}

/** The less common rules of a field, folded if it has none. */
function Rules(props: RowProps) {
  const t = SETTINGS_TEXTS[props.viewer.language];
  const { max_length, pattern } = props.row;
  return (
    <details open={max_length !== '' || pattern !== ''}>
      <summary>{t.moreRules}</summary>
      <div class="columns">
        <LineInput {...getInput(props, 'max_length')} label={t.maxLength} inputmode="numeric" />
        <LineInput
          {...getInput(props, 'pattern')}
          label={t.pattern}
          hint={t.patternHint}
          spellcheck={false}
          autocapitalize="none"
        />
      </div>
    </details>
  );
}
