import type { ErrorCode, FieldError } from '../../domain/errors.ts';
import { DE } from './de.ts';
import { EN } from './en.ts';
import { ES } from './es.ts';
import { FR } from './fr.ts';
import { IT } from './it.ts';
import { JA } from './ja.ts';
import { NL } from './nl.ts';
import { PL } from './pl.ts';
import { PT } from './pt.ts';
import type { RefusalWord, VisitorTexts } from './texts.ts';
import { ZH } from './zh.ts';

const TEXTS = { en: EN, de: DE, fr: FR, es: ES, pt: PT, it: IT, nl: NL, pl: PL, ja: JA, zh: ZH } satisfies Record<
  string,
  VisitorTexts
>;

export type Language = keyof typeof TEXTS;

/** English first: it is what those who read none of these get. */
export const LANGUAGES = Object.keys(TEXTS) as Language[];

const WORD_OF_CODE: Partial<Record<ErrorCode, RefusalWord>> = {
  empty_submission: 'empty',
  invalid_fields: 'fields',
  unreadable_body: 'unreadable',
  too_many_fields: 'unreadable',
  name_too_long: 'unreadable',
  too_deep: 'unreadable',
  body_too_large: 'tooLarge',
  value_too_long: 'tooLarge',
  unsupported_content_type: 'unsupported',
  too_many_files: 'tooManyFiles',
  file_too_large: 'fileTooLarge',
  file_type_not_allowed: 'fileType',
  body_too_slow: 'tooSlow',
  form_paused: 'paused',
  form_not_found: 'unknown',
  origin_not_allowed: 'origin',
  invalid_idempotency_key: 'staleKey',
  idempotency_key_in_use: 'underWay',
  idempotency_key_reused: 'reusedKey',
  challenge_missing: 'noChallenge',
  challenge_failed: 'challenge',
  submission_cap_reached: 'cap',
  rate_limited: 'rate',
  internal_error: 'failed',
  storage_unavailable: 'failed',
  challenge_unavailable: 'failed',
};

/** All texts of one language, as they stand in its file. */
export function textsIn(language: Language): VisitorTexts {
  return TEXTS[language];
}

/** Why nothing was kept, in general words. A code that is not the visitor's business reads as a failure of ours. */
export function refusalText(language: Language, code: ErrorCode): string {
  return textsIn(language).refusals[WORD_OF_CODE[code] ?? 'failed'];
}

/** What is wrong with a field, to follow its label, with the limit in the language's own way of writing it. */
export function faultText(language: Language, { code, limit }: FieldError): string {
  const text = textsIn(language).faults[code];
  return limit === undefined ? text : text.replace('{limit}', () => limitText(language, code, limit));
}

function limitText(language: Language, code: FieldError['code'], limit: number): string {
  if (code === 'too_long') return sizeText(language, limit * 1024);
  if (code === 'file_too_large') return sizeText(language, limit);
  return new Intl.NumberFormat(language).format(limit);
}

/** Steps of 1,024 under the names that people know: 10 MB, 512 kB. */
function sizeText(language: Language, bytes: number): string {
  const unit = bytes >= 1024 * 1024 ? 'megabyte' : 'kilobyte';
  const size = bytes / (unit === 'megabyte' ? 1024 * 1024 : 1024);
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(size);
}
