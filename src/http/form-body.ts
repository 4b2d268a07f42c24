import { AppError } from '../domain/errors.ts';
import { BodyError, type Reserve, readBody } from '../lib/read-body.ts';

const SECONDS = 30;

/** Reads an urlencoded body. Throws `AppError` if it is too large, too slow or incomplete. */
export async function readForm(request: Request, maxBytes: number, reserve: Reserve): Promise<URLSearchParams> {
  try {
    const bytes = await readBody(request, { maxBytes, seconds: SECONDS, reserve });
    return new URLSearchParams(new TextDecoder().decode(bytes));
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    if (error.reason === 'too large') throw new AppError('body_too_large', 'The form is too large.');
    throw new AppError('body_too_slow', 'The form was not fully received. Please submit it again.', {
      cause: error,
      headers: { Connection: 'close' },
    });
  }
}
