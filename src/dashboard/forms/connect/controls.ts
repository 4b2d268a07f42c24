import type { FormField } from '../../../domain/form.ts';
import { attribute } from './escape.ts';
import type { ConnectedForm } from './snippet-types.ts';

const INPUT_TYPES = ['email', 'tel', 'url', 'number', 'date', 'checkbox', 'file'];

const HTML_NAMES = { autocomplete: 'autocomplete', maxlength: 'maxlength' };
export const REACT_NAMES = { autocomplete: 'autoComplete', maxlength: 'maxLength' };

/** Returns the HTML of an input with its label. */
export function labeled(field: FormField, form: ConnectedForm): string {
  const attributes = attributesOf(field, form, HTML_NAMES).join(' ');
  const label = Bun.escapeHTML(labelOf(field));
  if (field.type === 'checkbox') return `<p><label><input ${attributes}> ${label}</label></p>`;
  if (field.type === 'textarea') return `<p><label>${label} <textarea ${attributes}></textarea></label></p>`;
  return `<p><label>${label} <input ${attributes}></label></p>`;
}

/** Returns the attributes of an input, with their names in HTML or React. */
export function attributesOf(
  { name, type, required, max_length, pattern }: FormField,
  { allowedFileTypes }: ConnectedForm,
  names: typeof HTML_NAMES,
): string[] {
  const known = AUTOCOMPLETE[type] ?? (name === 'name' ? 'name' : null);
  const isFile = type === 'file';
  const attributes = [
    INPUT_TYPES.includes(type) && `type="${type}"`,
    `name=${attribute(name)}`,
    type === 'checkbox' && 'value="yes"',
    known && `${names.autocomplete}="${known}"`,
    isFile && 'multiple',
    isFile && allowedFileTypes.length > 0 && `accept=${attribute(allowedFileTypes.join(','))}`,
    max_length !== undefined && `${names.maxlength}="${max_length}"`,
    pattern !== undefined && `pattern=${attribute(pattern)}`,
    required && 'required',
  ];
  return attributes.filter((text) => typeof text === 'string');
}

const AUTOCOMPLETE: Readonly<Record<string, string>> = { email: 'email', tel: 'tel', url: 'url' };

export function labelOf({ name, label }: FormField): string {
  return label || name;
}
