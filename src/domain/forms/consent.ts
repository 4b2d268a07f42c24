import { isChecked } from '../fields/checkbox.ts';
import type { FormField } from '../fields/field-type.ts';
import { asText, type Payload } from '../submissions/submission.ts';
import type { Form } from './form.ts';

type Asking = Pick<Form, 'fields' | 'consentText'>;

/** Returns the fields as visitors see them: the label of a consent field is the form's consent text, if it has one. */
export function shownFields({ fields, consentText }: Asking): readonly FormField[] {
  return fields.map((field) => (consentText !== null && isConsent(field) ? { ...field, label: consentText } : field));
}

/** Tells if a post has a ticked consent field of a form with a consent text. */
export function hasConsent({ fields, consentText }: Asking, payload: Payload): boolean {
  const values = new Map(payload);
  return (
    consentText !== null &&
    fields.filter(isConsent).some(({ name }) => {
      const value = values.get(name) ?? null;
      return asText(value).trim() !== '' && isChecked(value) !== false;
    })
  );
}

function isConsent({ type }: FormField): boolean {
  return type === 'consent';
}
