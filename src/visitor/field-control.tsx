/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { FormField } from '../domain/fields/field-type.ts';
import { getFieldType } from '../domain/fields/field-types.ts';
import type { VisitorTexts } from './i18n/en.ts';

/** A field of the hosted form with what the visitor has entered. */
export type ControlProps = Readonly<{
  field: FormField;
  /** Id of the control, derived from the position because names are free text. */
  id: string;
  values: readonly string[];
  error: string | null;
  /** Moves the focus here when the page opens. */
  isFocused: boolean;
  /** Shares its line with another field where there is room. */
  isNarrow: boolean;
  allowedFileTypes: readonly string[];
  texts: VisitorTexts['hosted'];
}>;

/** The control of a field with its label and error. Fields of unknown types are text inputs. */
export function Control(props: ControlProps) {
  const { field, values } = props;
  const { control } = getFieldType(field).html;
  if (control === 'hidden') return <input type="hidden" name={field.name} value={values[0] ?? ''} />;
  const heading = field.heading && <h2 dir="auto">{field.heading}</h2>;
  return (
    <>
      {heading}
      <FieldControl {...props} />
    </>
  );
}

function FieldControl(props: ControlProps) {
  const { field, id, isNarrow } = props;
  const { control } = getFieldType(field).html;
  if (control === 'group' || control === 'scale') return <Choices {...props} />;
  return (
    <div class={isNarrow ? 'field narrow' : 'field'} dir="auto">
      {control === 'box' ? (
        <Box {...props} />
      ) : (
        <label for={id}>
          <LabelText {...props} />
        </label>
      )}
      <HelpText {...props} />
      {control !== 'box' && <Input {...props} />}
      <ErrorText {...props} />
    </div>
  );
}

function Input(props: ControlProps) {
  const { field, values, texts, allowedFileTypes } = props;
  const [value = ''] = values;
  const attributes = { id: props.id, ...sharedAttributes(props), required: field.required };
  const { choices, html } = getFieldType(field);
  if (html.control === 'textarea') {
    return (
      <textarea {...attributes} rows={5} maxlength={field.max_length} placeholder={field.placeholder}>
        {/* Browsers drop a line break at the start of a textarea. */}
        {`\n${value}`}
      </textarea>
    );
  }
  if (html.control === 'select') {
    return (
      <div class="select">
        <select {...attributes}>
          <option value="">{field.placeholder ?? texts.choose}</option>
          {choices?.(field).map((option) => (
            <option value={option} selected={option === value}>
              {option}
            </option>
          ))}
        </select>
      </div>
    );
  }
  const isFile = html.type === 'file';
  return (
    <input
      {...attributes}
      type={html.type ?? 'text'}
      value={isFile ? undefined : value}
      maxlength={field.max_length}
      pattern={field.pattern ?? html.pattern}
      step={html.step}
      placeholder={isFile ? undefined : field.placeholder}
      multiple={isFile}
      accept={isFile && allowedFileTypes.length > 0 ? allowedFileTypes.join(',') : undefined}
      autocomplete={html.autocomplete ?? (field.name === 'name' ? 'name' : undefined)}
    />
  );
}

function Box(props: ControlProps) {
  const { field, id, values } = props;
  const attributes = sharedAttributes(props);
  return (
    <label class="choice" for={id}>
      <input
        {...attributes}
        id={id}
        type="checkbox"
        value="yes"
        checked={values.length > 0}
        required={field.required}
      />{' '}
      <span>
        <LabelText {...props} />
      </span>
    </label>
  );
}

/** Up to four options of this length share a line. */
const MAX_SHORT = 14;

function Choices(props: ControlProps) {
  const { field, values } = props;
  const { choices, html } = getFieldType(field);
  const isScale = html.control === 'scale';
  const options = choices?.(field) ?? [];
  const isShort = options.length <= 4 && options.every((option) => option.length <= MAX_SHORT);
  return (
    <fieldset class="field" dir="auto">
      <legend>
        <LabelText {...props} />
      </legend>
      <HelpText {...props} />
      <div class={isScale ? 'scale' : isShort ? 'cards short' : 'cards'}>
        {options.map((option, index) => (
          <label class={isScale ? undefined : 'choice'}>
            <input
              {...sharedAttributes({ ...props, isFocused: props.isFocused && index === 0 })}
              type={html.type}
              value={option}
              checked={values.includes(option)}
              required={html.type === 'radio' && field.required}
            />{' '}
            <bdi>{option}</bdi>
          </label>
        ))}
      </div>
      <ErrorText {...props} />
    </fieldset>
  );
}

/** Returns the help of a field; that of a rating without one tells screen readers which end is the highest. */
function getHelp({ field, texts }: ControlProps): string | undefined {
  const { html, choices } = getFieldType(field);
  return field.help ?? (html.control === 'scale' ? texts.scale(choices?.(field).at(-1) ?? '') : undefined);
}

function sharedAttributes(props: ControlProps) {
  const { field, id, error, isFocused } = props;
  return {
    name: field.name,
    autofocus: isFocused,
    dir: 'auto' as const,
    ...(error !== null && { 'aria-invalid': 'true' as const }),
    'aria-describedby':
      [getHelp(props) && `${id}-help`, error !== null && `${id}-error`].filter(Boolean).join(' ') || undefined,
  };
}

function LabelText({ field, texts }: ControlProps) {
  return (
    <>
      {field.label || field.name}
      {!field.required && ' '}
      {!field.required && <small>{texts.optional}</small>}
    </>
  );
}

function HelpText(props: ControlProps) {
  const help = getHelp(props);
  if (help === undefined) return null;
  return (
    <p class={props.field.help === undefined ? 'help unseen' : 'help'} id={`${props.id}-help`}>
      {help}
    </p>
  );
}

function ErrorText({ id, error }: ControlProps) {
  if (error === null) return null;
  return (
    <p class="error" id={`${id}-error`}>
      {error}
    </p>
  );
}
