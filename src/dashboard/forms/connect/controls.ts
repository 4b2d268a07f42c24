import type { FieldType, FormField } from '../../../domain/fields/field-type.ts';
import { getFieldType } from '../../../domain/fields/field-types.ts';
import type { Form } from '../../../domain/forms/form.ts';
import { attribute } from './escape.ts';
import type { CONNECT_TEXTS } from './texts.ts';

/** Texts of the snippets in the viewer's language. */
export type SnippetTexts = (typeof CONNECT_TEXTS)['en']['words'];

export type ConnectedForm = Pick<Form, 'fields' | 'allowedFileTypes' | 'challenge' | 'challengeVerifyUrl'>;

/** Markup of a challenge. `jsx` differs from `element` where React does. */
export type Widget = Readonly<{ element: string; jsx: string; script: string }>;

export type SnippetOptions = Readonly<{
  form: ConnectedForm;
  /** The address that the form posts to. */
  action: string;
  widget: Widget | null;
  /** The `enctype` attribute; empty without files. */
  enctype: string;
  t: SnippetTexts;
}>;

/** The syntax of markup in HTML or in the templates of a framework. */
export type Syntax = Readonly<{
  autocomplete: string;
  maxlength: string;
  /** The end of a tag without content. */
  end: '>' | ' />';
  /** Returns a quoted attribute value. */
  attribute: (value: string) => string;
  text: (text: string) => string;
  /** Returns the attribute that names a control. */
  nameOf: (name: string) => string;
}>;

export const HTML: Syntax = {
  autocomplete: 'autocomplete',
  maxlength: 'maxlength',
  end: '>',
  attribute,
  text: Bun.escapeHTML,
  nameOf: (name) => `name=${attribute(name)}`,
};

/** Returns the lines of HTML of a control with its label. */
export function labeled(field: FormField, form: ConnectedForm, t: SnippetTexts): string[] {
  const label = Bun.escapeHTML(getLabel(field));
  const { control, lines } = getControl(field, form, t, HTML);
  const help = helpOf(field, HTML);
  if (control === 'hidden') return lines;
  if (control === 'group') return fieldset(label, [...help, ...lines]);
  if (control === 'box') return [`<p><label>${[lines, label, ...help].join(' ')}</label></p>`];
  lines[0] = `<p><label>${label} ${lines[0]}`;
  return [...lines.slice(0, -1), `${[lines.at(-1), ...help].join(' ')}</label></p>`];
}

/** Returns the help text of a field; empty without one. */
export function helpOf({ help }: FormField, { text }: Pick<Syntax, 'text'>): string[] {
  return help === undefined ? [] : [`<small>${text(help)}</small>`];
}

/** Returns the hidden field that only robots fill in. */
export function honeypot(t: SnippetTexts, { autocomplete, end, text }: Syntax): string {
  return `<p hidden><label>${text(t.leaveEmpty)} <input name="_gotcha" ${autocomplete}="off"${end}</label></p>`;
}

/** Returns a group of inputs under its label. */
export function fieldset(legend: string, lines: readonly string[]): string[] {
  return ['<fieldset>', `  <legend>${legend}</legend>`, ...lines.map((line) => `  ${line}`), '</fieldset>'];
}

/** Returns the lines of a control without its label. `id` is for a label of its own; groups and hidden ones have none. */
export function getControl(field: FormField, form: ConnectedForm, t: SnippetTexts, syntax: Syntax, id?: string) {
  const { attribute, nameOf, end, text } = syntax;
  const type = getFieldType(field);
  const values = type.choices?.(field) ?? [];
  // A choice without options is a line of text.
  const html: FieldType['html'] = type.choices && values.length === 0 ? getFieldType(undefined).html : type.html;
  const control = html.control === 'scale' ? 'group' : html.control;
  if (control === 'group') {
    // HTML can't require one of several checkboxes.
    const isOne = html.type === 'radio';
    const common = `type="${html.type}" ${nameOf(isOne ? field.name : `${field.name}[]`)}${isOne && field.required ? ' required' : ''}`;
    const inputs = values.map(
      (value) => `<label><input ${common} value=${attribute(value)}${end} ${text(value)}</label>`,
    );
    return { control, lines: inputs };
  }
  const start = id === undefined || control === 'hidden' ? '' : `id="${id}" `;
  const attributes = start + getAttributes(field, html, form, syntax).join(' ');
  if (control === 'textarea') return { control, lines: [`<textarea ${attributes}></textarea>`] };
  if (control !== 'select')
    return { control, lines: [`<input ${attributes}${control === 'hidden' ? ' value=""' : ''}${end}`] };
  const options = values.map((choice) => {
    // HTML collapses white space of a text, but not of a value.
    const value = /\s\s|[^\S ]/.test(choice) ? ` value=${attribute(choice)}` : '';
    return `  <option${value}>${text(choice)}</option>`;
  });
  // The first option has no value, so that `required` asks for a choice.
  const none = `  <option value="">${text(t.choose)}</option>`;
  return { control, lines: [`<select ${attributes}>`, none, ...options, '</select>'] };
}

/** Returns the attributes of an input. */
function getAttributes(
  { name, required, max_length, ...field }: FormField,
  { control, type, ...html }: FieldType['html'],
  { allowedFileTypes }: ConnectedForm,
  { attribute, ...syntax }: Syntax,
): string[] {
  const isFile = type === 'file';
  const isTyped = control === 'input' || control === 'textarea';
  const autocomplete = html.autocomplete ?? (name === 'name' ? 'name' : null);
  const pattern = field.pattern ?? html.pattern;
  const attributes = [
    type !== undefined && `type="${type}"`,
    syntax.nameOf(name),
    control === 'box' && 'value="yes"',
    autocomplete && control !== 'hidden' && `${syntax.autocomplete}="${autocomplete}"`,
    isFile && 'multiple',
    isFile && allowedFileTypes.length > 0 && `accept=${attribute(allowedFileTypes.join(','))}`,
    isTyped && max_length !== undefined && `${syntax.maxlength}="${max_length}"`,
    isTyped && pattern !== undefined && `pattern=${attribute(pattern)}`,
    isTyped && field.placeholder !== undefined && `placeholder=${attribute(field.placeholder)}`,
    required && control !== 'hidden' && 'required',
  ];
  return attributes.filter((text) => typeof text === 'string');
}

export const getLabel = ({ name, label }: FormField): string => label || name;
