import type { FormField } from '../../domain/fields/field-type.ts';
import type { Form } from '../../domain/forms/form.ts';
import { templateFields } from '../../domain/forms/form-templates.ts';
import type { Texts } from './texts.ts';

/** Returns the form's fields, or those of the contact template if it has none. */
export function getFields({ fields }: Pick<Form, 'fields'>, { templates }: Texts): readonly FormField[] {
  return fields.length > 0 ? fields : templateFields('contact', templates.labels);
}
