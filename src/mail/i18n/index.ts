import { createCatalog } from '../../lib/i18n.ts';
import { DE } from './de.ts';
import { EN, type MailTexts } from './en.ts';

export type MailLanguage = 'en' | 'de';

/** The texts of mails to owners and members. Auto-replies go to visitors and have none. */
export const MAIL_CATALOG = createCatalog<MailLanguage, MailTexts>('en', { en: EN, de: DE });
