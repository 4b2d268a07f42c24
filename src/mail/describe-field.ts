import type { FormField } from '../domain/fields/field-type.ts';
import { getFieldType } from '../domain/fields/field-types.ts';
import type { PayloadValue } from '../domain/submissions/submission.ts';
import { valueText } from './value-text.ts';

type Words = Readonly<{ yes: string; no: string }>;

/**
 * Returns a function that describes a submitted field: its label, and its value as text. Pass masked values. Checked boxes,
 * for which browsers send `on`, and booleans become the words for yes and no.
 */
export function fieldDescriber(fields: readonly FormField[], { yes, no }: Words) {
  const byName = new Map(fields.map((field) => [field.name, field]));
  return (name: string, value: PayloadValue): Readonly<{ label: string; text: string }> => {
    const field = byName.get(name);
    const isBox = field === undefined || getFieldType(field).html.control === 'box';
    const isYes = value === true || (isBox && value === 'on');
    return { label: field?.label || name, text: isYes ? yes : value === false ? no : valueText(value) };
  };
}
