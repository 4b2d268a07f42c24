import { AppError } from './errors.ts';

/**
 * Parses JSON. Throws the error of `refuse` for other text, and `invalid_input` if a string or a name contains U+0000,
 * which not every database can store.
 */
export function parseJson(text: string, refuse: () => AppError): unknown {
  try {
    // The character can only be an escape: as it is, it is no valid JSON.
    return JSON.parse(text, text.includes('\\u0000') ? refuseNul : undefined);
  } catch (error) {
    throw error instanceof AppError ? error : refuse();
  }
}

function refuseNul(name: string, value: unknown): unknown {
  if (!name.includes('\0') && !(typeof value === 'string' && value.includes('\0'))) return value;
  throw new AppError('invalid_input', 'The JSON contains the character U+0000. Remove it.');
}
