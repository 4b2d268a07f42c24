import type { AppError } from '../../domain/errors.ts';
import { languageOf } from './language.ts';
import { faultText, refusalText, textsIn } from './texts/index.ts';

type RefusalMessage = Readonly<{
  message: string;
  /** Empty where no single field is at fault. */
  errors: ReadonlyArray<Readonly<{ field: string; message: string }>>;
}>;

/** What a script may show after a success: the form's own text, or else thanks in a language the visitor reads. */
export function thanksMessage(request: Request, own: string | null): string {
  return own ?? textsIn(languageOf(request)).thanks.message;
}

/**
 * What a script may show after a refusal. In English that is the refusal's own message, which says most; in another
 * language the words of the page.
 */
export function refusalMessage(request: Request, refusal: AppError): RefusalMessage {
  const language = languageOf(request);
  return {
    message: language === 'en' ? refusal.message : refusalText(language, refusal.code),
    errors: refusal.errors.map((fault) => ({ field: fault.field, message: faultText(language, fault) })),
  };
}
