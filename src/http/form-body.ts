import { AppError } from '../domain/errors.ts';
import { BodyError, readBody } from '../lib/read-body.ts';

/** More than any page of ours sends. */
const LIMITS = { maxBytes: 512 * 1024, seconds: 30 };

/** What a page of ours posts, urlencoded. Throws `AppError` for a body that is too large, too slow or broken off. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  try {
    return new URLSearchParams(new TextDecoder().decode(await readBody(request, LIMITS)));
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    if (error.reason === 'too large') throw new AppError('body_too_large', 'That is more than this page takes.');
    throw new AppError('body_too_slow', 'The page did not arrive as a whole. Please send it again.', { cause: error });
  }
}
