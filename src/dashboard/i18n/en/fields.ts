export const FIELDS = {
  /** Words for submitted values. */
  values: { yes: 'Yes', no: 'No', rating: (value: string, max: number) => `${value} of ${max}` },
  /** Settings that only some types of fields have. */
  fieldTypes: {
    options: 'Options',
    optionsHint: 'One per line.',
    optionsError: 'Enter 1 to 200 different options, one per line, each with at most 256 characters.',
    max: 'Highest rating',
    maxError: 'Choose a highest rating from 2 to 10.',
  },
};
