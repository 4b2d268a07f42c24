/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { Markup } from '../../lib/markup.ts';

/** An input with its label. `id` is the name unless the page has that name twice. */
export type Field = Readonly<{
  name: string;
  id?: string | undefined;
  label: string;
  value: string;
  hint?: string | undefined;
  error?: string | undefined;
}>;

/** A line of text. Further attributes go to the `input`. */
export function LineInput({ name, id, label, value, hint, error, ...more }: Field & JSX.IntrinsicElements['input']) {
  const field = { name, id, label, value, hint, error };
  return (
    <Labeled field={field}>
      <input {...getControl(field)} value={value} autocomplete="off" {...more} />
    </Labeled>
  );
}

type TextProps = Field & Readonly<{ rows: number; placeholder?: string | undefined }>;

/** A text of several lines. Browsers drop the first line break, so one is put before the value. */
export function TextInput({ rows, placeholder, ...field }: TextProps) {
  return (
    <Labeled field={field}>
      <textarea {...getControl(field)} rows={rows} placeholder={placeholder} autocomplete="off">
        {`\n${field.value}`}
      </textarea>
    </Labeled>
  );
}

type Options<Text = string> = ReadonlyArray<readonly [value: string, text: Text]>;

/** A choice of one option. */
export function SelectInput({ options, ...field }: Field & Readonly<{ options: Options }>) {
  return (
    <Labeled field={field}>
      <select {...getControl(field)}>
        {options.map(([value, text]) => (
          <option value={value} selected={value === field.value}>
            {text}
          </option>
        ))}
      </select>
    </Labeled>
  );
}

type RadioProps = Field & Readonly<{ options: Options<string | Markup> }>;

/** A choice of one option, all of them in view. */
export function RadioInputs({ name, label, value, hint, options }: RadioProps) {
  return (
    <fieldset>
      <legend>{label}</legend>
      {options.map(([option, text]) => (
        <Choice type="radio" name={name} value={option} checked={option === value} text={text} />
      ))}
      {hint !== undefined && <p class="soft small">{hint}</p>}
    </fieldset>
  );
}

type ChoiceProps = Readonly<{
  type?: 'radio' | 'checkbox';
  name: string;
  value: string;
  checked: boolean;
  text: string | Markup;
}>;

/** One of several radio buttons or checkboxes. */
export function Choice({ type = 'checkbox', text, ...input }: ChoiceProps) {
  return (
    <label class="choice">
      <input type={type} {...input} /> {text}
    </label>
  );
}

/** A checkbox, checked unless the value is empty. Submits `yes` or nothing. */
export function CheckInput({ name, id = name, label, value, hint }: Omit<Field, 'error'>) {
  const describedBy = hint ? hintId(id) : undefined;
  return (
    <div class="field">
      <label class="choice">
        <input type="checkbox" name={name} value="yes" checked={value !== ''} aria-describedby={describedBy} /> {label}
      </label>{' '}
      <Notes id={id} hint={hint} />
    </div>
  );
}

function Labeled({ field, children }: Readonly<{ field: Field; children: Markup }>) {
  const { name, id = name, label, hint, error } = field;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children} <Notes id={id} hint={hint} error={error} />
    </div>
  );
}

/** The hint and the error below a control, which names them as `<id>-hint` and `<id>-error`. */
export function Notes({ id, hint, error }: Pick<Field, 'hint' | 'error'> & Readonly<{ id: string }>) {
  return (
    <>
      {hint && (
        <span class="hint" id={hintId(id)}>
          {hint}
        </span>
      )}
      {error && (
        <p class="field-error" id={errorId(id)}>
          {error}
        </p>
      )}
    </>
  );
}

function getControl({ name, id = name, hint, error }: Field) {
  const describedBy = [hint && hintId(id), error && errorId(id)].filter(Boolean).join(' ');
  return {
    id,
    name,
    'aria-describedby': describedBy || undefined,
    'aria-invalid': error ? ('true' as const) : undefined,
    // Browsers focus the first one on the page.
    autofocus: error !== undefined,
  };
}

const hintId = (id: string): string => `${id}-hint`;

const errorId = (id: string): string => `${id}-error`;
