import { agrees } from '../fields/checkbox.ts';
import type { FormField } from '../fields/field-type.ts';
import type { Payload } from '../submissions/submission.ts';
import type { Form } from './form.ts';

type Asking = Pick<Form, 'fields' | 'consentText'>;

/** Returns the fields as visitors see them: the label of a consent field is the form's consent text, if it has one. */
export function shownFields({ fields, consentText }: Asking): readonly FormField[] {
  return fields.map((field) => (consentText !== null && isConsent(field) ? { ...field, label: consentText } : field));
}

/** Returns the names of the ticked consent fields of a post; none if the form has no consent text. */
export function agreedFields({ fields, consentText }: Asking, payload: Payload): readonly string[] {
  if (consentText === null) return [];
  const values = new Map(payload);
  const isTicked = ({ name }: FormField) => [values.get(name) ?? []].flat().some(agrees);
  return fields.filter((field) => isConsent(field) && isTicked(field)).map(({ name }) => name);
}

const isConsent = ({ type }: FormField): boolean => type === 'consent';
