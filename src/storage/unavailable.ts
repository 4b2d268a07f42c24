import { AppError } from '../domain/errors.ts';

const DATABASE = 'The database is not available right now, and nothing was changed. Please try again in a minute.';
const FILES = 'Files cannot be read or written right now. Please try again later.';

/** Creates the error of a database that cannot work now, or of another part of the storage with its message. */
export function unavailable(cause: unknown, message = DATABASE): AppError {
  return new AppError('storage_unavailable', message, { headers: { 'Retry-After': '60' }, cause });
}

/** Returns the error of files that cannot be read or written now; an `AppError` as it is. */
export function filesUnavailable(error: unknown): AppError {
  return error instanceof AppError ? error : unavailable(error, FILES);
}

/** Runs work with files and turns its errors into `AppError('storage_unavailable')`. */
export async function withFiles<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw filesUnavailable(error);
  }
}
