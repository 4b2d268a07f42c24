import { AppError, invalidInput } from './errors.ts';

/**
 * Parses JSON. Throws the error of `refuse` for other text, and `invalid_input` if a string or a name contains U+0000
 * or half of a surrogate pair, which not every database can store.
 */
export function parseJson(text: string, refuse: () => AppError): unknown {
  try {
    // Both can only be escapes: as they are, they are no valid JSON or UTF-8.
    return JSON.parse(text, /\\u(?:0000|d[89a-f])/i.test(text) ? refuseUnstorable : undefined);
  } catch (error) {
    throw error instanceof AppError ? error : refuse();
  }
}

function refuseUnstorable(name: string, value: unknown): unknown {
  for (const text of [name, value]) {
    if (typeof text !== 'string') continue;
    if (text.includes('\0')) throw refused('the character U+0000');
    if (!text.isWellFormed()) throw refused('half of a surrogate pair, such as \\ud800');
  }
  return value;
}

const refused = (what: string): AppError => invalidInput(`The JSON contains ${what}. Remove it.`);
