import type { Micros } from '../lib/clock.ts';
import { formatMoment, formatNumber, formatSize } from '../lib/i18n.ts';
import type { MailTexts } from './i18n/en.ts';
import { MAIL_CATALOG, type MailLanguage } from './i18n/index.ts';

/** The texts of a mail in its language, and the formats of times, numbers and sizes. */
export type MailLocale = Readonly<{
  language: MailLanguage;
  texts: MailTexts;
  time: (at: Micros, timeZone: string) => string;
  number: (value: number) => string;
  size: (bytes: number) => string;
}>;

/** Returns the locale of a language; null and unsupported languages become English. */
export function mailLocale(code: string | null): MailLocale {
  const language = MAIL_CATALOG.find(code) ?? 'en';
  return {
    language,
    texts: MAIL_CATALOG.textsIn(language),
    time: (at, timeZone) => formatMoment(language, timeZone, at / 1000),
    number: (value) => formatNumber(language, value),
    size: (bytes) => formatSize(language, bytes),
  };
}
