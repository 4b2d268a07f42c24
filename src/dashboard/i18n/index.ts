import { DE } from './de.ts';
import { EN } from './en.ts';

/** All words of the dashboard, one file a language. A language is added by such a file and a line here. */
export const TEXTS = { en: EN, de: DE } satisfies Record<string, Texts>;

export type Texts = typeof EN;
export type Language = keyof typeof TEXTS;

export const LANGUAGES = Object.keys(TEXTS) as Language[];
