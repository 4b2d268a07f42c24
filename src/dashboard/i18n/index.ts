import { createCatalog } from '../../lib/i18n.ts';
import { DE } from './de.ts';
import { EN } from './en.ts';

export type Texts = typeof EN;
export type Language = 'en' | 'de';

/** All texts of the dashboard, one file per language. To add a language, add its file and list it here. */
export const CATALOG = createCatalog<Language, Texts>('en', { en: EN, de: DE });
