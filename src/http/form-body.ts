import { AppError } from '../domain/errors.ts';
import { BodyError, readBody } from '../lib/read-body.ts';

/** Above the size of any form in the dashboard. */
const LIMITS = { maxBytes: 512 * 1024, seconds: 30 };

/** Reads an urlencoded body. Throws `AppError` if it is too large, too slow or incomplete. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  try {
    return new URLSearchParams(new TextDecoder().decode(await readBody(request, LIMITS)));
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    if (error.reason === 'too large') throw new AppError('body_too_large', 'The form is too large.');
    throw new AppError('body_too_slow', 'The form was not fully received. Please submit it again.', { cause: error });
  }
}
