import type { Texts } from '../index.ts';

export const FIELDS: Pick<Texts, 'values' | 'fieldTypes'> = {
  values: { yes: 'Ja', no: 'Nein', rating: (value, max) => `${value} von ${max}` },
  fieldTypes: {
    options: 'Auswahlmöglichkeiten',
    optionsHint: 'Eine pro Zeile.',
    optionsError: 'Geben Sie 1 bis 200 verschiedene Möglichkeiten ein, eine pro Zeile, jede mit höchstens 256 Zeichen.',
    max: 'Höchste Bewertung',
    maxError: 'Wählen Sie eine höchste Bewertung von 2 bis 10.',
  },
};
