import type { Micros } from '../lib/clock.ts';
import { createCatalog, formatMoment, formatNumber, formatSize } from '../lib/i18n.ts';
import { DE } from './i18n/de.ts';
import { EN, type MailTexts } from './i18n/en.ts';

export type MailLanguage = 'en' | 'de';

/** The texts of mails to owners and members. Auto-replies go to visitors and have none. */
export const MAIL_CATALOG = createCatalog<MailLanguage, MailTexts>('en', { en: EN, de: DE });

/** The texts of a mail in its language, and the formats of times, numbers and sizes. */
export type MailLocale = Readonly<ReturnType<typeof mailLocale>>;

/** Returns the locale of a language; null and unsupported languages become English. */
export function mailLocale(code: string | null) {
  const language = MAIL_CATALOG.find(code) ?? 'en';
  return {
    language,
    texts: MAIL_CATALOG.textsIn(language),
    // Recipients have no region, but their form's time zone has: elsewhere, English has the day first and 24 hours.
    time: (at: Micros, timeZone: string) =>
      formatMoment(language === 'en' && !timeZone.startsWith('America/') ? 'en-GB' : language, timeZone, at / 1000),
    number: (value: number) => formatNumber(language, value),
    size: (bytes: number) => formatSize(language, bytes),
  };
}
