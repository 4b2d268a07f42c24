import { getSample } from '../../../domain/fields/sample-value.ts';
import type { Form } from '../../../domain/forms/form.ts';
import type { Payload } from '../../../domain/submissions/submission.ts';
import type { Texts } from '../../i18n/index.ts';
import { getFields } from '../../ui/sample-fields.ts';

/** Returns a plausible submission of the form. */
export function samplePayload(form: Form, texts: Texts): Payload {
  return getFields(form, texts)
    .filter(({ type }) => type !== 'file')
    .map((field) => [field.name, getSample(field)]);
}
