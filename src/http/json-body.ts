import { AppError, invalidInput } from '../domain/errors.ts';
import { parseJson } from '../domain/json-text.ts';
import { BodyError, type Reserve, readBody } from '../lib/read-body.ts';

/** Far above the size of any valid change. */
const LIMITS = { maxBytes: 64 * 1024, seconds: 30 };

/**
 * Reads a JSON body. Called after the key was checked, unlike the framework's own parser. Throws `AppError` if the body
 * is too large, too slow, incomplete, not JSON or contains a character that cannot be stored.
 */
export async function readJson(request: Request, reserve: Reserve): Promise<unknown> {
  const bytes = await readBody(request, { ...LIMITS, reserve }).catch((error: unknown) => {
    throw error instanceof BodyError ? toAppError(error) : error;
  });
  const refuse = () => invalidInput('The body is not valid JSON.');
  return parseJson(decodeUtf8(bytes) ?? '', refuse);
}

/** Throws `unsupported_content_type` if the body is declared as anything but JSON. */
export function requireJsonType({ headers }: Request): void {
  if (/^application\/json *(?:;|$)/i.test(headers.get('content-type') ?? 'application/json')) return;
  throw new AppError('unsupported_content_type', 'The Content-Type must be application/json. Send a JSON body.');
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function toAppError(cause: BodyError): AppError {
  if (cause.message === 'too large') {
    return new AppError('body_too_large', `The body is larger than ${LIMITS.maxBytes / 1024} KiB.`);
  }
  if (cause.message === 'aborted') return new AppError('invalid_input', 'The body was not fully received.', { cause });
  return new AppError('invalid_input', 'The body took too long to arrive.', {
    cause,
    headers: { Connection: 'close' },
  });
}
