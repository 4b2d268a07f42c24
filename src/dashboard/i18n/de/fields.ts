import type { Texts } from '../index.ts';

export const FIELDS: Pick<Texts, 'values' | 'fieldTypes'> = {
  values: { yes: 'Ja', no: 'Nein', rating: (value, max) => `${value} von ${max}` },
  fieldTypes: {
    options: 'Auswahlmöglichkeiten',
    optionsHint: 'Eine pro Zeile.',
    max: 'Höchste Bewertung',
  },
};
