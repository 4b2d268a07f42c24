export const FIELDS = {
  /** Words for submitted values. */
  values: { yes: 'Yes', no: 'No', rating: (value: string, max: number) => `${value} of ${max}` },
  /** Types of fields, and the settings that some of them have. */
  fieldTypes: {
    names: {
      text: 'Short text',
      textarea: 'Long text',
      email: 'Email address',
      phone: 'Phone number',
      url: 'URL',
      number: 'Number',
      date: 'Date',
      select: 'Drop-down list',
      radio: 'Single choice',
      checkboxes: 'Multiple choice',
      rating: 'Rating',
      checkbox: 'Checkbox',
      consent: 'Consent',
      file: 'Files',
      hidden: 'Hidden field',
    },
    options: 'Options',
    optionsHint: 'One per line.',
    optionsError: 'Enter 1 to 200 different options, one per line, each with at most 256 characters.',
    max: 'Highest rating',
    maxError: 'Choose a highest rating from 2 to 10.',
  },
};
