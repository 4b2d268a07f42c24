import type { ErrorCode, FieldError } from '../../../domain/errors.ts';
import { createCatalog, formatNumber, formatSize } from '../../../lib/i18n.ts';
import { DE } from './de.ts';
import { EN } from './en.ts';
import { ES } from './es.ts';
import { FR } from './fr.ts';
import { IT } from './it.ts';
import { JA } from './ja.ts';
import { NL } from './nl.ts';
import { PL } from './pl.ts';
import { PT } from './pt.ts';
import type { RefusalKey, VisitorTexts } from './texts.ts';
import { ZH } from './zh.ts';

const TEXTS = { en: EN, de: DE, fr: FR, es: ES, pt: PT, it: IT, nl: NL, pl: PL, ja: JA, zh: ZH };

export type Language = keyof typeof TEXTS;

/** The texts for visitors. */
export const VISITOR_CATALOG = createCatalog<Language, VisitorTexts>('en', TEXTS);

/** Returns the language of a visitor's texts. */
export function languageOf(request: Request): Language {
  return VISITOR_CATALOG.negotiate(request.headers.get('accept-language'));
}

const KEY_OF_CODE: Partial<Record<ErrorCode, RefusalKey>> = {
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
  form_not_found: 'notFound',
  origin_not_allowed: 'origin',
  invalid_idempotency_key: 'invalidKey',
  idempotency_key_in_use: 'inProgress',
  idempotency_key_reused: 'reusedKey',
  challenge_missing: 'challengeMissing',
  challenge_failed: 'challengeFailed',
  submission_cap_reached: 'monthlyLimit',
  rate_limited: 'rateLimit',
  internal_error: 'internal',
  storage_unavailable: 'internal',
  challenge_unavailable: 'internal',
};

/** Returns the texts of a language. */
export function textsIn(language: Language): VisitorTexts {
  return VISITOR_CATALOG.textsIn(language);
}

/** Returns the general text for an error code. Codes that don't concern visitors get the text of an internal error. */
export function refusalText(language: Language, code: ErrorCode): string {
  return textsIn(language).refusals[KEY_OF_CODE[code] ?? 'internal'];
}

/** Returns the text for an invalid field, with the limit formatted for the language. It follows the field's label. */
export function faultText(language: Language, { code, limit }: FieldError): string {
  const text = textsIn(language).faults[code];
  return limit === undefined ? text : text.replace('{limit}', () => limitText(language, code, limit));
}

function limitText(language: Language, code: FieldError['code'], limit: number): string {
  if (code === 'too_long') return formatSize(language, limit * 1024, 1024);
  if (code === 'file_too_large') return formatSize(language, limit, 1024);
  return formatNumber(language, limit);
}
