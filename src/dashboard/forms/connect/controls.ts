import type { FieldType, FormField } from '../../../domain/fields/field-type.ts';
import { getFieldType } from '../../../domain/fields/field-types.ts';
import { text } from '../../../domain/fields/text.ts';
import { attribute } from './escape.ts';
import type { ConnectedForm, SnippetTexts, Syntax } from './snippet-types.ts';

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
  const lines = getControl(field, form, t, HTML);
  if (isGroup(field)) return fieldset(label, lines);
  const { control } = getHtml(field);
  if (control === 'hidden') return lines;
  if (control === 'box') return [`<p><label>${lines} ${label}</label></p>`];
  lines[0] = `<p><label>${label} ${lines[0]}`;
  return [...lines.slice(0, -1), `${lines.at(-1)}</label></p>`];
}

/** Returns the lines of a control without its label. `id` is for controls that have a label of their own. */
export function getControl(field: FormField, form: ConnectedForm, t: SnippetTexts, syntax: Syntax, id = ''): string[] {
  const { control } = getHtml(field);
  if (isGroup(field)) return getChoices(field, syntax);
  const attributes = `${id && control !== 'hidden' ? `id="${id}" ` : ''}${getAttributes(field, form, syntax).join(' ')}`;
  if (control === 'textarea') return [`<textarea ${attributes}></textarea>`];
  if (control === 'select') return [`<select ${attributes}>`, ...getOptions(field, t, syntax), '</select>'];
  return [`<input ${attributes}${control === 'hidden' ? ' value=""' : ''}${syntax.end}`];
}

/** Returns a group of inputs under its label. */
export function fieldset(legend: string, lines: readonly string[]): string[] {
  return ['<fieldset>', `  <legend>${legend}</legend>`, ...lines.map((line) => `  ${line}`), '</fieldset>'];
}

/** Reports whether a field has several inputs. */
export function isGroup(field: FormField): boolean {
  return ['group', 'scale'].includes(getHtml(field).control);
}

/** Returns the control of a field, with its attributes. A choice without options is a line of text. */
export function getHtml(field: FormField): FieldType['html'] {
  const { choices, html } = getFieldType(field);
  return choices?.(field).length === 0 ? text.html : html;
}

/** Returns the options of a select. The first one has no value, so that `required` asks for a choice. */
function getOptions(field: FormField, t: SnippetTexts, { attribute, text }: Syntax): string[] {
  const option = (choice: string) => {
    // HTML collapses white space of a text, but not of a value.
    const value = /\s\s|[^\S ]/.test(choice) ? ` value=${attribute(choice)}` : '';
    return `  <option${value}>${text(choice)}</option>`;
  };
  return [`  <option value="">${text(t.choose)}</option>`, ...getValues(field).map(option)];
}

/** Returns the labeled inputs of a group. HTML can't require one of several checkboxes. */
function getChoices(field: FormField, { attribute, text, nameOf, end }: Syntax): string[] {
  const { name, required } = field;
  const common =
    getHtml(field).type === 'checkbox'
      ? `type="checkbox" ${nameOf(`${name}[]`)}`
      : `type="radio" ${nameOf(name)}${required ? ' required' : ''}`;
  return getValues(field).map(
    (value) => `<label><input ${common} value=${attribute(value)}${end} ${text(value)}</label>`,
  );
}

function getValues(field: FormField): readonly string[] {
  return getFieldType(field).choices?.(field) ?? [];
}

/** Returns the attributes of an input. */
function getAttributes(field: FormField, { allowedFileTypes }: ConnectedForm, syntax: Syntax): string[] {
  const { attribute, nameOf } = syntax;
  const { name, required, max_length } = field;
  const { control, type, ...html } = getHtml(field);
  const isFile = type === 'file';
  const isTyped = control === 'input' || control === 'textarea';
  const autocomplete = html.autocomplete ?? (name === 'name' ? 'name' : null);
  const pattern = field.pattern ?? html.pattern;
  const attributes = [
    type !== undefined && `type="${type}"`,
    nameOf(name),
    control === 'box' && 'value="yes"',
    autocomplete && control !== 'hidden' && `${syntax.autocomplete}="${autocomplete}"`,
    isFile && 'multiple',
    isFile && allowedFileTypes.length > 0 && `accept=${attribute(allowedFileTypes.join(','))}`,
    isTyped && max_length !== undefined && `${syntax.maxlength}="${max_length}"`,
    isTyped && pattern !== undefined && `pattern=${attribute(pattern)}`,
    required && control !== 'hidden' && 'required',
  ];
  return attributes.filter((text) => typeof text === 'string');
}

export function getLabel({ name, label }: FormField): string {
  return label || name;
}
