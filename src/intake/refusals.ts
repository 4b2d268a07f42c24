import { AppError, type FieldError } from '../domain/errors.ts';
import { formatBytes } from '../lib/bytes.ts';

/** Returns the refusal of a post without any value or file. `errors` are those of the form's rules. */
export function emptySubmission(errors: readonly FieldError[] = []): AppError {
  return new AppError('empty_submission', 'The form is empty. Fill in at least one field.', { errors });
}

/** Returns the refusal of a body over `maxBytes`, with the limit in a readable unit. */
export function tooLarge(maxBytes: number): AppError {
  return new AppError('body_too_large', `The submission is larger than the limit of ${formatBytes(maxBytes)}.`, {
    limit: maxBytes,
  });
}

/** Returns the refusal of any post to a paused form. */
export function formPaused(): AppError {
  return new AppError('form_paused', 'This form is paused and does not accept submissions.');
}
