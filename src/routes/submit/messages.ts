import type { AppError } from '../../domain/errors.ts';
import { fieldErrorText, languageOf, refusalText, textsIn } from './i18n/index.ts';

type RefusalMessage = Readonly<{
  message: string;
  /** Invalid fields; empty if the refusal is not about a field. */
  errors: ReadonlyArray<Readonly<{ field: string; message: string }>>;
}>;

/** Returns the success message for scripts: the form's own text, or the default in the visitor's language. */
export function thanksMessage(request: Request, thanksText: string | null): string {
  return thanksText ?? textsIn(languageOf(request)).thanks.message;
}

/**
 * Returns the refusal message for scripts. In English this is the detailed message of the error, in other languages the
 * general text of the page.
 */
export function refusalMessage(request: Request, refusal: AppError): RefusalMessage {
  const language = languageOf(request);
  return {
    message: language === 'en' ? refusal.message : refusalText(language, refusal),
    errors: refusal.errors.map((error) => ({ field: error.field, message: fieldErrorText(language, error) })),
  };
}
