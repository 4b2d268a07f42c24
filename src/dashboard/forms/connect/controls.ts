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
  const attributes = getAttributes(field, form, HTML).join(' ');
  switch (getHtml(field).control) {
    case 'box':
      return [`<p><label><input ${attributes}> ${label}</label></p>`];
    case 'textarea':
      return [`<p><label>${label} <textarea ${attributes}></textarea></label></p>`];
    case 'hidden':
      return [`<input ${attributes} value="">`];
    case 'select':
      return [
        `<p><label>${label} <select ${attributes}>`,
        ...getOptions(field, t, HTML).map((option) => `  ${option}`),
        '</select></label></p>',
      ];
    case 'group':
    case 'scale':
      return [
        '<fieldset>',
        `  <legend>${label}</legend>`,
        ...getChoices(field, HTML).map((choice) => `  ${choice}`),
        '</fieldset>',
      ];
    case 'input':
      return [`<p><label>${label} <input ${attributes}></label></p>`];
  }
}

/** Returns the control of a field, with its attributes. A choice without options is a line of text. */
export function getHtml(field: FormField): FieldType['html'] {
  const { choices, html } = getFieldType(field);
  return choices?.(field).length === 0 ? text.html : html;
}

/** Returns the options of a select. The first one has no value, so that `required` asks for a choice. */
export function getOptions(field: FormField, t: SnippetTexts, { attribute, text }: Syntax): string[] {
  const option = (choice: string) => {
    // HTML collapses white space of a text, but not of a value.
    const value = /\s\s|[^\S ]/.test(choice) ? ` value=${attribute(choice)}` : '';
    return `<option${value}>${text(choice)}</option>`;
  };
  return [`<option value="">${text(t.choose)}</option>`, ...getValues(field).map(option)];
}

/** Returns the labeled inputs of a group. HTML can't require one of several checkboxes. */
export function getChoices(field: FormField, { attribute, text, nameOf, end }: Syntax): string[] {
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
export function getAttributes(field: FormField, { allowedFileTypes }: ConnectedForm, syntax: Syntax): string[] {
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
