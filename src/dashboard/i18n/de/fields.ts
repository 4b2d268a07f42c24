import type { Texts } from '../index.ts';

export const FIELDS: Pick<Texts, 'values'> = {
  values: { yes: 'Ja', no: 'Nein', rating: (value, max) => `${value} von ${max}` },
};
