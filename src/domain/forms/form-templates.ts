import type { FormField } from '../fields/field-type.ts';

const field = <Label extends string>(name: string, label: Label, type: string, required = false) => {
  return { name, label, type, required };
};

const NAME = field('name', 'name', 'text', true);
const EMAIL = field('email', 'email', 'email', true);

/** Initial fields of a new form, by template. */
export const FORM_TEMPLATES = {
  contact: [NAME, EMAIL, field('message', 'message', 'textarea', true)],
  feedback: [
    field('rating', 'rating', 'rating', true),
    field('message', 'opinion', 'textarea'),
    { ...EMAIL, required: false },
  ],
  application: [
    NAME,
    EMAIL,
    field('phone', 'phone', 'phone'),
    field('documents', 'documents', 'file', true),
    field('message', 'message', 'textarea'),
  ],
  newsletter: [EMAIL, { ...NAME, required: false }, field('consent', 'consent', 'consent', true)],
  rsvp: [
    NAME,
    EMAIL,
    { ...field('attending', 'attending', 'radio', true), options: ['accept', 'decline'] },
    field('guests', 'guests', 'number'),
    field('message', 'wishes', 'textarea'),
  ],
  blank: [],
} as const satisfies Record<string, readonly FormField[]>;

type TemplateField = (typeof FORM_TEMPLATES)[FormTemplate][number];

/** Translation key of a template field's label or option. */
type TemplateLabel = TemplateField['label'] | Extract<TemplateField, { options: object }>['options'][number];

export type FormTemplate = keyof typeof FORM_TEMPLATES;

/** Template names in display order. */
export const TEMPLATE_NAMES = Object.keys(FORM_TEMPLATES) as FormTemplate[];

/** Returns the fields of a template with translated labels. */
export function templateFields(template: FormTemplate, labels: Readonly<Record<TemplateLabel, string>>): FormField[] {
  return FORM_TEMPLATES[template].map((field) => ({
    ...field,
    label: labels[field.label],
    ...('options' in field && { options: field.options.map((option) => labels[option]) }),
  }));
}
