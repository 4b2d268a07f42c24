export const FIELDS = {
  /** Words for submitted values. */
  values: { yes: 'Yes', no: 'No', rating: (value: string, max: number) => `${value} of ${max}` },
  /** Settings that only some types of fields have. */
  fieldTypes: {
    options: 'Options',
    optionsHint: 'One per line.',
    max: 'Highest rating',
  },
};
