import { createCatalog } from '../../lib/i18n.ts';
import { DE } from './de/index.ts';
import { EN } from './en/index.ts';

export type Texts = typeof EN;
export type Language = 'en' | 'de';

/** All texts of the dashboard, one folder per language. To add a language, add its folder and list it here. */
export const CATALOG = createCatalog<Language, Texts>('en', { en: EN, de: DE });
