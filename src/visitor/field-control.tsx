/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { PHONE_PATTERN } from '../domain/fields/field-rules.ts';
import { DEFAULT_MAX_RATING, type FormField } from '../domain/forms/form.ts';
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
  allowedFileTypes: readonly string[];
  texts: VisitorTexts['hosted'];
}>;

const INPUT_TYPES: Readonly<Record<string, string>> = {
  email: 'email',
  tel: 'tel',
  phone: 'tel',
  url: 'url',
  number: 'number',
  date: 'date',
  file: 'file',
};

const AUTOCOMPLETE: Readonly<Record<string, string>> = { email: 'email', tel: 'tel', phone: 'tel', url: 'url' };

/** The control of a field with its label and error. Fields of unknown types are text inputs. */
export function Control(props: ControlProps) {
  const { field, values } = props;
  switch (field.type) {
    case 'hidden':
      return <input type="hidden" name={field.name} value={values[0] ?? ''} />;
    case 'checkbox':
    case 'consent':
      return <Box {...props} />;
    case 'radio':
    case 'checkboxes':
    case 'rating':
      return <Choices {...props} />;
    default:
      return (
        <div class="field" dir="auto">
          <label for={props.id}>
            <LabelText {...props} />
          </label>
          <Input {...props} />
          <ErrorText {...props} />
        </div>
      );
  }
}

function Input(props: ControlProps) {
  const { field, values, texts, allowedFileTypes } = props;
  const [value = ''] = values;
  const attributes = { id: props.id, ...sharedAttributes(props), required: field.required };
  if (field.type === 'textarea') {
    return (
      <textarea {...attributes} rows={5} maxlength={field.max_length}>
        {/* Browsers drop a line break at the start of a textarea. */}
        {`\n${value}`}
      </textarea>
    );
  }
  if (field.type === 'select') {
    return (
      <select {...attributes}>
        <option value="">{texts.choose}</option>
        {(field.options ?? []).map((option) => (
          <option value={option} selected={option === value}>
            {option}
          </option>
        ))}
      </select>
    );
  }
  const type = INPUT_TYPES[field.type] ?? 'text';
  const isFile = type === 'file';
  return (
    <input
      {...attributes}
      type={type}
      value={isFile ? undefined : value}
      maxlength={field.max_length}
      pattern={field.pattern ?? (type === 'tel' ? PHONE_PATTERN : undefined)}
      step={type === 'number' ? 'any' : undefined}
      multiple={isFile}
      accept={isFile && allowedFileTypes.length > 0 ? allowedFileTypes.join(',') : undefined}
      autocomplete={AUTOCOMPLETE[field.type] ?? (field.name === 'name' ? 'name' : undefined)}
    />
  );
}

function Box(props: ControlProps) {
  const { field, id, values } = props;
  return (
    <div class="field" dir="auto">
      <label class="choice" for={id}>
        <input
          {...sharedAttributes(props)}
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
      <ErrorText {...props} />
    </div>
  );
}

function Choices(props: ControlProps) {
  const { field, values } = props;
  const isRating = field.type === 'rating';
  const type = field.type === 'checkboxes' ? 'checkbox' : 'radio';
  return (
    <fieldset class="field" dir="auto">
      <legend>
        <LabelText {...props} />
      </legend>
      <div class={isRating ? 'scale' : undefined}>
        {getOptions(field).map((option, index) => (
          <label class={isRating ? undefined : 'choice'}>
            <input
              {...sharedAttributes({ ...props, isFocused: props.isFocused && index === 0 })}
              type={type}
              value={option}
              checked={values.includes(option)}
              required={type === 'radio' && field.required}
            />{' '}
            <bdi>{option}</bdi>
          </label>
        ))}
      </div>
      <ErrorText {...props} />
    </fieldset>
  );
}

function getOptions({ type, options = [], max = DEFAULT_MAX_RATING }: FormField): readonly string[] {
  return type === 'rating' ? Array.from({ length: max }, (_, index) => String(index + 1)) : options;
}

function sharedAttributes({ field, id, error, isFocused }: ControlProps) {
  return {
    name: field.name,
    autofocus: isFocused,
    dir: 'auto' as const,
    ...(error !== null && { 'aria-invalid': 'true' as const, 'aria-describedby': `${id}-error` }),
  };
}

function LabelText({ field, texts }: ControlProps) {
  return (
    <>
      {field.label || field.name}
      {!field.required && (
        <>
          {' '}
          <small>{texts.optional}</small>
        </>
      )}
    </>
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
