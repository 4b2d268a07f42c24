import { PHONE_PATTERN } from '../../../domain/fields/field-rules.ts';
import { CHOICE_TYPES, DEFAULT_MAX_RATING, type FormField } from '../../../domain/forms/form.ts';
import { attribute } from './escape.ts';
import type { ConnectedForm, SnippetTexts, Syntax } from './snippet-types.ts';

const INPUT_TYPES: Readonly<Record<string, string>> = {
  email: 'email',
  phone: 'tel',
  tel: 'tel',
  url: 'url',
  number: 'number',
  date: 'date',
  checkbox: 'checkbox',
  consent: 'checkbox',
  file: 'file',
  hidden: 'hidden',
};

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
  switch (getControl(field)) {
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

type Control = 'input' | 'textarea' | 'box' | 'hidden' | 'select' | 'group';

/** Returns the kind of control for a field. A choice without options is a line of text. */
export function getControl({ type, options }: FormField): Control {
  if (type === 'textarea' || type === 'hidden') return type;
  if (type === 'checkbox' || type === 'consent') return 'box';
  if (type === 'rating') return 'group';
  if (!CHOICE_TYPES.includes(type) || options === undefined) return 'input';
  return type === 'select' ? type : 'group';
}

/** Returns the options of a select. The first one has no value, so that `required` asks for a choice. */
export function getOptions({ options = [] }: FormField, t: SnippetTexts, { attribute, text }: Syntax): string[] {
  const option = (choice: string) => {
    // HTML collapses white space of a text, but not of a value.
    const value = /\s\s|[^\S ]/.test(choice) ? ` value=${attribute(choice)}` : '';
    return `<option${value}>${text(choice)}</option>`;
  };
  return [`<option value="">${text(t.choose)}</option>`, ...options.map(option)];
}

/** Returns the labeled inputs of a group. HTML can't require one of several checkboxes. */
export function getChoices(field: FormField, { attribute, text, nameOf, end }: Syntax): string[] {
  const { name, type, required, options, max = DEFAULT_MAX_RATING } = field;
  const values = options ?? Array.from({ length: max }, (_, index) => String(index + 1));
  const common =
    type === 'checkboxes'
      ? `type="checkbox" ${nameOf(`${name}[]`)}`
      : `type="radio" ${nameOf(name)}${required ? ' required' : ''}`;
  return values.map((value) => `<label><input ${common} value=${attribute(value)}${end} ${text(value)}</label>`);
}

/** Returns the attributes of an input. */
export function getAttributes(field: FormField, { allowedFileTypes }: ConnectedForm, syntax: Syntax): string[] {
  const { attribute, nameOf } = syntax;
  const { name, type, required, max_length } = field;
  const inputType = INPUT_TYPES[type];
  const isFile = type === 'file';
  const control = getControl(field);
  const isTyped = control === 'input' || control === 'textarea';
  const autocomplete = AUTOCOMPLETE[inputType ?? ''] ?? (name === 'name' ? 'name' : null);
  const pattern = field.pattern ?? (inputType === 'tel' ? PHONE_PATTERN : undefined);
  const attributes = [
    inputType !== undefined && `type="${inputType}"`,
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

const AUTOCOMPLETE: Readonly<Record<string, string>> = { email: 'email', tel: 'tel', url: 'url' };

export function getLabel({ name, label }: FormField): string {
  return label || name;
}
