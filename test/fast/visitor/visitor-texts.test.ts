import { describe, expect, test } from 'bun:test';
import { SUBMIT_CODES } from '../../../src/api/openapi/public-operations.ts';
import { AppError, type FieldError } from '../../../src/domain/errors.ts';
import { FIELD_ERRORS } from '../../../src/visitor/i18n/field-errors.ts';
import { type Language, textsIn, VISITOR_CATALOG } from '../../../src/visitor/i18n/index.ts';
import { refusalMessage, thanksMessage } from '../../../src/visitor/responses.ts';

function from(language?: string): Request {
  return new Request('http://localhost/', language === undefined ? {} : { headers: { 'Accept-Language': language } });
}

/** Returns all texts of a language by their path, with `{limit}` for a limit. */
function flatten(texts: object, place = ''): Array<readonly [place: string, text: string]> {
  return Object.entries(texts).flatMap(([name, value]) => {
    if (typeof value === 'function') return [[`${place}${name}`, value('{limit}')] as const];
    return typeof value === 'string' ? [[`${place}${name}`, value] as const] : flatten(value, `${place}${name}.`);
  });
}

/** Returns all texts of a language with the messages for invalid fields. */
function allIn(language: Language) {
  return flatten({ ...textsIn(language), fieldErrors: FIELD_ERRORS[language] });
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.:!?])\s+|(?<=[。：])/)
    .map((sentence) => sentence.trim().toLowerCase())
    .filter((sentence) => /\p{L}/u.test(sentence.replaceAll('{limit}', '')));
}

const english = allIn('en');

describe('the texts for visitors', () => {
  test('exist in ten languages, English first', () => {
    expect([...VISITOR_CATALOG.languages].sort()).toEqual(['de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt', 'zh']);
    expect(VISITOR_CATALOG.languages[0]).toBe('en');
  });

  test.each(VISITOR_CATALOG.languages.map((language) => [language]))(
    'are all there in %s, with a limit where English has one',
    (language) => {
      const texts = allIn(language);
      expect(texts.map(([place]) => place).sort()).toEqual(english.map(([place]) => place).sort());
      expect(texts.filter(([, text]) => text.trim() !== text || text.length < 2)).toEqual([]);
      const limited = (all: typeof texts) =>
        all.filter(([, text]) => text.split('{limit}').length === 2).map(([place]) => place);
      expect(limited(texts).sort()).toEqual(limited(english).sort());
    },
  );

  test('have no sentence in common between languages', () => {
    const spokenIn = new Map<string, Set<string>>();
    for (const language of VISITOR_CATALOG.languages) {
      for (const sentence of allIn(language).flatMap(([, text]) => sentencesOf(text))) {
        spokenIn.set(sentence, (spokenIn.get(sentence) ?? new Set()).add(language));
      }
    }
    // German has the word too.
    const examples = /^(?:name@example\.com|https:\/\/example\.com|2026-11-30|42)$|^optional$/;
    const shared = [...spokenIn].filter(([sentence, languages]) => languages.size > 1 && !examples.test(sentence));
    expect(shared.map(([sentence]) => sentence)).toEqual([]);
    expect(spokenIn.size).toBeGreaterThan(300);
  });

  test.each(VISITOR_CATALOG.languages.map((language) => [language]))(
    'are different for each reason in %s',
    (language) => {
      const { refusals } = textsIn(language);
      const texts = [...flatten(refusals), ...flatten(FIELD_ERRORS[language])].map(([, text]) => text);
      expect(new Set(texts).size).toBe(texts.length);
    },
  );
});

describe('the thanks text in JSON', () => {
  const form = (successMessage: string | null = null) => ({ successMessage, language: 'visitor' }) as const;

  test.each([undefined, 'en-GB', 'sv'])('is the documented sentence for %p', (language) => {
    expect(thanksMessage(from(language), form())).toBe('Thank you, your submission was received.');
  });

  test("is in the visitor's language", () => {
    expect(thanksMessage(from('de-AT, en;q=0.5'), form())).toBe('Vielen Dank, Ihre Nachricht ist angekommen.');
  });

  test("is the form's own text if it has one, in every language", () => {
    expect(VISITOR_CATALOG.languages.map((language) => thanksMessage(from(language), form('See you!')))).toEqual(
      VISITOR_CATALOG.languages.map(() => 'See you!'),
    );
  });
});

describe('a refusal in JSON', () => {
  const refusal = new AppError('invalid_fields', 'Two fields are wrong.', {
    errors: [
      { field: 'mail', label: 'E-mail', code: 'email' },
      { field: 'note', code: 'max_length', limit: 12_000 },
    ],
  });

  test('has its own message in English', () => {
    expect(refusalMessage(from(), refusal)).toEqual({
      message: 'Two fields are wrong.',
      errors: [
        { field: 'mail', message: 'Enter an email address, such as name@example.com.' },
        { field: 'note', message: 'This is too long. Characters allowed: 12,000.' },
      ],
    });
  });

  test("is in the visitor's language, including its fields", () => {
    expect(refusalMessage(from('de'), refusal)).toEqual({
      message: 'Einige Angaben fehlen oder müssen korrigiert werden.',
      errors: [
        { field: 'mail', message: 'Bitte geben Sie eine E-Mail-Adresse an, zum Beispiel name@example.com.' },
        { field: 'note', message: 'Diese Angabe ist zu lang. Erlaubt sind höchstens 12.000 Zeichen.' },
      ],
    });
  });

  test('has no errors if no field is invalid', () => {
    expect(refusalMessage(from('fr'), new AppError('form_paused', 'Paused.')).errors).toEqual([]);
  });

  test.each<[Omit<FieldError, 'field'>, RegExp]>([
    [{ code: 'too_long', limit: 256 }, /\b256.kB\b/],
    [{ code: 'file_too_large', limit: 10 * 1024 * 1024 }, /\b10.MB\b/],
    [{ code: 'file_too_large', limit: 1.5 * 1024 * 1024 }, /\b1\.5.MB\b/],
    [{ code: 'file_too_large', limit: 512 * 1024 }, /\b512.kB\b/],
    [{ code: 'too_many_files', limit: 10 }, /\b10\./],
  ])('shows the limit of %j in a readable unit', (fieldError, limit) => {
    const { errors } = refusalMessage(
      from(),
      new AppError('invalid_fields', 'x', { errors: [{ field: 'f', ...fieldError }] }),
    );
    expect(errors).toEqual([{ field: 'f', message: expect.stringMatching(limit) }]);
  });

  test("formats a size for the visitor's language", () => {
    const large = new AppError('file_too_large', 'x', {
      errors: [{ field: 'f', code: 'file_too_large', limit: 1.5 * 1024 * 1024 }],
    });
    expect(refusalMessage(from('fr'), large).errors[0]?.message).toMatch(/\b1,5.Mo\b/);
  });

  test.each(
    [...SUBMIT_CODES, 'no_challenge' as const]
      .filter((code) => code !== 'internal_error' && code !== 'storage_unavailable')
      .map((code) => [code]),
  )('with the code %s has its own text', (code) => {
    const general = refusalMessage(from('de'), new AppError('internal_error', 'x')).message;
    const limit = code.startsWith('form_') ? { limit: '2026-12-24T17:00:00Z Europe/Berlin' } : {};
    expect(refusalMessage(from('de'), new AppError(code, 'x', limit)).message).not.toBe(general);
  });
});
