export const FIELDS = {
  /** Words for submitted values. */
  values: { yes: 'Yes', no: 'No', rating: (value: string, max: number) => `${value} of ${max}` },
};
