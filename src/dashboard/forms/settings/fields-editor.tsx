/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { FIELD_TYPES, getFieldType } from '../../../domain/fields/field-types.ts';
import { CheckInput, Choice, LineInput, SelectInput, TextInput } from '../../ui/form-inputs.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Viewer } from '../../viewer.ts';
import { type FieldsDraft, HEADING, type Row, toFieldName } from './fields.ts';
import { FIELD_TYPES_TEXTS, SETTINGS_TEXTS } from './texts.ts';

type Props = Readonly<{
  viewer: Viewer;
  draft: FieldsDraft;
  /** Address that the buttons submit the whole draft to. */
  action: string;
}>;

/** The editor of a form's fields. It works without script: each button submits the draft and gets a new page. */
export function FieldsEditor(props: Props) {
  const { viewer, draft } = props;
  const t = SETTINGS_TEXTS[viewer.language];
  const { rows, enforcesRules } = draft;
  return (
    <>
      <p class="row">
        <AddButton {...props} name="add" index={rows.length} text={t.addField} />{' '}
        <AddButton {...props} name="heading" index={rows.length} text={t.addHeading} />
      </p>
      {rows.length === 0 ? (
        <p class="soft">{t.noFields}</p>
      ) : (
        <ol class="rows">
          {rows.map((row, index) => (
            <RowItem row={row} index={index} {...props} />
          ))}
        </ol>
      )}
      <CheckInput
        name="enforcesRules"
        label={t.names.enforcesRules}
        hint={t.hints.enforcesRules}
        value={enforcesRules ? 'yes' : ''}
      />
    </>
  );
}

type AddProps = Props & Readonly<{ name: 'add' | 'heading' | 'insert'; index: number; text: string }>;

/** Adds a row at an index. The fragment focuses its label on the new page. */
function AddButton({ action, name, index, text }: AddProps) {
  const isInsert = name === 'insert';
  return (
    <button
      class={isInsert ? 'insert' : 'quiet small'}
      name={name}
      value={String(index)}
      id={isInsert ? undefined : name}
      aria-label={isInsert ? text : undefined}
      formnovalidate
      formaction={`${action}#label-${index}`}
    >
      {isInsert ? <Icon name="plus" /> : text}
    </button>
  );
}

type RowProps = Props & Readonly<{ row: Row; index: number }>;

function RowItem(props: RowProps) {
  const { viewer, draft, row, index } = props;
  const t = SETTINGS_TEXTS[viewer.language];
  const isHeading = row.type === HEADING;
  const [icon, hue] = isHeading ? (['heading', 'yellow'] as const) : getFieldType(row).sign;
  const type = FIELD_TYPES.find(({ name }) => name === row.type)?.label[viewer.language] ?? row.type;
  const hasError = Object.keys(draft.errors).some((id) => id.endsWith(`-${index}`));
  return (
    <li>
      <details class="field-row" name="field-row" open={draft.open === index || hasError}>
        <summary id={`row-${index}`}>
          <span class="grip">
            <Icon name="grip" />
          </span>
          <span class={`type hue-${hue}`}>
            <Icon name={icon} />
          </span>
          <b data-title="">{row.label || row.name || t.field(index + 1)}</b>
          {row.required && (
            <span class="required" title={t.required}>
              *
            </span>
          )}
          {hasError && <Icon name="warning" />}
          <span class="soft small">{isHeading ? t.heading : type}</span>
          <Icon name="down" />
        </summary>
        <fieldset>
          <legend class="visually-hidden">{t.field(index + 1)}</legend>
          {isHeading ? <HeadingInputs {...props} /> : <FieldInputs {...props} />}
        </fieldset>
      </details>
      {index < draft.rows.length - 1 && <AddButton {...props} name="insert" index={index + 1} text={t.insertField} />}
    </li>
  );
}

/** The inputs of a heading: its text, and the other inputs of a row without a value. */
function HeadingInputs(props: RowProps) {
  const { row } = props;
  const hidden = Object.entries(row).filter(([name]) => name !== 'label' && name !== 'required');
  return (
    <>
      <LineInput {...getInput(props, 'label')} label={SETTINGS_TEXTS[props.viewer.language].heading} maxlength={256} />
      {hidden.map(([name, value]) => (
        <input type="hidden" name={name} value={String(value)} />
      ))}
      <div class="row">
        <RowButtons {...props} />
      </div>
    </>
  );
}

function FieldInputs(props: RowProps) {
  const { viewer, row, index } = props;
  const t = SETTINGS_TEXTS[viewer.language];
  const ofTypes = FIELD_TYPES_TEXTS[viewer.language];
  const types = FIELD_TYPES.map(({ name, label }): [string, string] => [name, label[viewer.language]]);
  const options = types.some(([name]) => name === row.type) ? types : [[row.type, row.type] as const, ...types];
  return (
    <>
      <div class="columns">
        <LineInput {...getInput(props, 'label')} label={t.label} />
        <LineInput {...getInput(props, 'help')} label={t.help} maxlength={500} />
      </div>
      {/* Only some types have options or a highest rating. The style shows them when the type is chosen. */}
      <div class="columns">
        <SelectInput {...getInput(props, 'type')} label={t.type} options={options} />
        <div class="of-choice">
          <TextInput {...getInput(props, 'options')} label={ofTypes.options} hint={ofTypes.optionsHint} rows={3} />
        </div>
        <div class="of-rating">
          <SelectInput {...getInput(props, 'max')} label={ofTypes.max} options={RATINGS} />
        </div>
      </div>
      <div class="row">
        <Choice name="required" value={String(index)} checked={row.required} text={t.required} />{' '}
        <RowButtons {...props} />
      </div>
      <Rules {...props} />
    </>
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
    { name: 'remove', fragment: last === 0 ? 'add' : `row-${Math.min(index, last - 1)}`, isDisabled: false },
  ] as const;
  return (
    <>
      {buttons.map(({ name, fragment, isDisabled }) => (
        <>
          <button
            class="quiet small"
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

/** Attributes of inputs whose text is not a language. */
const VERBATIM = { spellcheck: false, autocapitalize: 'none' } as const;

/** The less common rules of a field, folded if it has none. */
function Rules(props: RowProps) {
  const t = SETTINGS_TEXTS[props.viewer.language];
  const { label, max_length, pattern } = props.row;
  const { errors } = props.draft;
  const isOpen = max_length !== '' || pattern !== '' || errors[`name-${props.index}`] !== undefined;
  return (
    <details open={isOpen}>
      <summary>{t.moreRules}</summary>
      <div class="columns">
        <LineInput {...getInput(props, 'name')} label={t.fieldName} placeholder={toFieldName(label)} {...VERBATIM} />
        <LineInput {...getInput(props, 'placeholder')} label={t.placeholder} maxlength={200} />
        <LineInput {...getInput(props, 'max_length')} label={t.maxLength} inputmode="numeric" />
        <LineInput {...getInput(props, 'pattern')} label={t.pattern} hint={t.patternHint} {...VERBATIM} />
      </div>
    </details>
  );
}
