import type { FormField } from './form.ts';

/** Translation key of a template field's label or option. */
export type TemplateLabel =
  | 'name'
  | 'email'
  | 'phone'
  | 'message'
  | 'rating'
  | 'opinion'
  | 'documents'
  | 'consent'
  | 'attending'
  | 'accept'
  | 'decline'
  | 'guests'
  | 'wishes';

type TemplateField = Omit<FormField, 'label' | 'options'> &
  Readonly<{ label: TemplateLabel; options?: TemplateLabel[] }>;

const field = (name: string, label: TemplateLabel, type: string, required = false): TemplateField => {
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
} as const satisfies Record<string, readonly TemplateField[]>;

export type FormTemplate = keyof typeof FORM_TEMPLATES;

/** Template names in display order. */
export const TEMPLATE_NAMES = Object.keys(FORM_TEMPLATES) as FormTemplate[];

/** Returns the fields of a template with translated labels. */
export function templateFields(template: FormTemplate, labels: Readonly<Record<TemplateLabel, string>>): FormField[] {
  const fields: readonly TemplateField[] = FORM_TEMPLATES[template];
  return fields.map(({ label, options, ...rest }) => ({
    ...rest,
    label: labels[label],
    ...(options && { options: options.map((option) => labels[option]) }),
  }));
}
