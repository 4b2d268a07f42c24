import { formatDate } from '../../lib/i18n.ts';
import type { ValueWords } from './field-type.ts';

/** The words for values in the languages of pages for members, mails and exports. Webhooks have the English ones. */
export const VALUE_WORDS: Readonly<Record<'en' | 'de', ValueWords>> = {
  en: { yes: 'Yes', no: 'No', rating: (value, max) => `${value} of ${max}`, date: (date) => formatDate('en', date) },
  de: { yes: 'Ja', no: 'Nein', rating: (value, max) => `${value} von ${max}`, date: (date) => formatDate('de', date) },
};
