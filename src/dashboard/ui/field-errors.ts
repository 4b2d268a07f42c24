import { AppError } from '../../domain/errors.ts';

/** Error messages by the names of their inputs. */
export type FieldErrors = Readonly<Record<string, string>>;

/** Returns false if the check throws `invalid_input`. */
export function isValid(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_input') return false;
    throw error;
  }
}
