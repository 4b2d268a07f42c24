import { type AppError, isClosed } from '../domain/errors.ts';
import { fieldErrorText, getLanguage, refusalText, textsIn } from './i18n/index.ts';

type RefusalMessage = Readonly<{
  message: string;
  /** Invalid fields; empty if the refusal is not about a field. */
  errors: ReadonlyArray<Readonly<{ field: string; message: string }>>;
}>;

/** Returns the success message for scripts: the form's own text, or the default in the visitor's language. */
export function thanksMessage(request: Request, thanksText: string | null): string {
  return thanksText ?? textsIn(getLanguage(request)).thanks.message;
}

/**
 * Returns the refusal message for scripts: the form's own text if it accepts nothing, else in English the detailed
 * message of the error and in other languages the general text of the page.
 */
export function refusalMessage(request: Request, refusal: AppError, closedText: string | null = null): RefusalMessage {
  const language = getLanguage(request);
  const message = language === 'en' ? refusal.message : refusalText(language, refusal);
  return {
    message: isClosed(refusal) ? (closedText ?? message) : message,
    errors: refusal.errors.map((error) => ({ field: error.field, message: fieldErrorText(language, error) })),
  };
}
