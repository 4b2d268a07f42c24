import { AppError } from '../domain/errors.ts';
import { formatBytes } from '../lib/bytes.ts';

export function emptySubmission(): AppError {
  return new AppError('empty_submission', 'The form was sent empty. Fill in at least one field.');
}

/** Names the limit in the unit a person would use. */
export function tooLarge(maxBytes: number): AppError {
  return new AppError('body_too_large', `This is larger than the ${formatBytes(maxBytes)} that are accepted.`);
}

export function formPaused(): AppError {
  return new AppError('form_paused', 'This form is paused and takes no submissions at the moment.');
}
