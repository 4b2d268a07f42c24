import { AppError } from '../domain/errors.ts';
import { BodyError, readBody } from '../lib/read-body.ts';

/** Far more than a change of a form can need. */
const LIMITS = { maxBytes: 64 * 1024, seconds: 30 };

/**
 * Reads a request's JSON. It is called after the key was checked, which a framework's own parser would not wait for.
 * Throws `AppError` for a body that is too large, too slow or not JSON.
 */
export async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBody(request, LIMITS).catch((error: unknown) => {
    throw error instanceof BodyError ? explain(error) : error;
  });
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new AppError('invalid_input', 'The body is not valid JSON.');
  }
}

function explain(cause: BodyError): AppError {
  if (cause.reason === 'too large') {
    return new AppError('body_too_large', `The body is larger than ${LIMITS.maxBytes / 1024} KiB.`);
  }
  if (cause.reason === 'aborted') return new AppError('invalid_input', 'The body broke off.', { cause });
  return new AppError('invalid_input', 'The body took too long to arrive.', {
    cause,
    headers: { Connection: 'close' },
  });
}
