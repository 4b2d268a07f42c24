import type { PublicCode } from '../../api/openapi/public-operations.ts';
import type { AppError, ErrorCode, FieldError, Limit } from '../../domain/errors.ts';
import type { Form } from '../../domain/forms/form.ts';
import { createCatalog, formatDay, formatMoment, formatNumber, formatSize, formatWait } from '../../lib/i18n.ts';
import { DE } from './de.ts';
import { EN, type VisitorTexts } from './en.ts';
import { ES } from './es.ts';
import { FIELD_ERRORS } from './field-errors.ts';
import { FR } from './fr.ts';
import { IT } from './it.ts';
import { JA } from './ja.ts';
import { NL } from './nl.ts';
import { PL } from './pl.ts';
import { PT } from './pt.ts';
import { ZH } from './zh.ts';

const TEXTS = { en: EN, de: DE, fr: FR, es: ES, pt: PT, it: IT, nl: NL, pl: PL, ja: JA, zh: ZH };

export type Language = keyof typeof TEXTS;

export const VISITOR_CATALOG = createCatalog<Language, VisitorTexts>('en', TEXTS);

/** Returns the language of a visitor's texts: that of the form, unless it follows the visitor. */
export function getLanguage(request: Request, form: Pick<Form, 'language'> | null): Language {
  if (form !== null && form.language !== 'visitor') return form.language;
  return VISITOR_CATALOG.negotiate(request.headers.get('accept-language'));
}

const KEY_OF_CODE: Readonly<Record<PublicCode, keyof VisitorTexts['refusals']>> = {
  empty_submission: 'empty',
  invalid_fields: 'fields',
  value_too_long: 'fields',
  unreadable_body: 'unreadable',
  body_too_large: 'tooLarge',
  too_many_fields: 'tooManyFields',
  name_too_long: 'nameTooLong',
  too_deep: 'tooDeep',
  unsupported_content_type: 'unsupported',
  too_many_files: 'tooManyFiles',
  file_too_large: 'fileTooLarge',
  file_type_not_allowed: 'fileType',
  file_not_expected: 'fields',
  body_too_slow: 'tooSlow',
  form_paused: 'paused',
  form_not_open: 'notOpen',
  form_closed: 'ended',
  form_full: 'full',
  already_submitted: 'already',
  email_required: 'email',
  storage_limit_reached: 'paused',
  form_not_found: 'notFound',
  origin_not_allowed: 'origin',
  invalid_idempotency_key: 'invalidKey',
  idempotency_key_in_use: 'inProgress',
  idempotency_key_reused: 'reusedKey',
  challenge_missing: 'challengeMissing',
  challenge_failed: 'challengeFailed',
  challenge_unavailable: 'challengeUnavailable',
  no_challenge: 'noChallenge',
  submission_cap_reached: 'monthlyLimit',
  rate_limited: 'rateLimit',
  internal_error: 'internal',
  storage_unavailable: 'internal',
  server_busy: 'busy',
};

export const textsIn = (language: Language): VisitorTexts => VISITOR_CATALOG.textsIn(language);

/** Returns the general text of a refusal. Codes of other endpoints get the text of an internal error. */
export function refusalText(language: Language, { code, limit, headers, errors }: AppError): string {
  const keys: Partial<Record<ErrorCode, keyof VisitorTexts['refusals']>> = KEY_OF_CODE;
  // With marked fields, the general text only points to them.
  const key = code === 'empty_submission' && errors.length > 0 ? 'fields' : keys[code];
  const text = textsIn(language).refusals[key ?? 'internal'];
  if (typeof text === 'string') return text;
  if (code === 'rate_limited') return text(formatWait(language, Number(headers['Retry-After'])));
  return text(formatLimit(language, code, limit));
}

/** Returns the text for an invalid field, with the limit formatted for the language. It follows the field's label. */
export function fieldErrorText(language: Language, { code, limit }: FieldError): string {
  const text = FIELD_ERRORS[language][code];
  return typeof text === 'string' ? text : text(formatLimit(language, code, limit));
}

function formatLimit(language: Language, code: ErrorCode | FieldError['code'], limit: Limit = ''): string {
  if (code === 'submission_cap_reached' && limit !== '') return formatDay(language, 'UTC', new Date(limit));
  if (code === 'form_not_open' || code === 'form_closed') {
    const [at = '', timeZone = 'UTC'] = String(limit).split(' ');
    return formatMoment(language, timeZone, new Date(at));
  }
  if (typeof limit === 'string') return limit;
  if (code === 'too_long') return formatSize(language, limit * 1024, 1024);
  if (code === 'file_too_large' || code === 'body_too_large') return formatSize(language, limit, 1024);
  return formatNumber(language, limit);
}
