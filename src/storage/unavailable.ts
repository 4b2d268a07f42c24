import { AppError } from '../domain/errors.ts';

/** Creates the error of a database that cannot work now. */
export function unavailable(cause: unknown): AppError {
  const message = 'The database is not available right now, and nothing was changed. Please try again in a minute.';
  return new AppError('storage_unavailable', message, { headers: { 'Retry-After': '60' }, cause });
}
