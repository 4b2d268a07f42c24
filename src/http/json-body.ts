import { AppError } from '../domain/errors.ts';

/** Far more than a change of a form can need. */
const MAX_BYTES = 64 * 1024;

/**
 * Reads a request's JSON. It is called after the key was checked, which a framework's own parser would not wait for.
 * Throws `AppError` for a body that is too large or not JSON.
 */
export async function readJson(request: Request): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  try {
    for await (const chunk of request.body ?? []) {
      total += chunk.length;
      if (total > MAX_BYTES) throw new AppError('body_too_large', `The body is larger than ${MAX_BYTES / 1024} KiB.`);
      chunks.push(chunk);
    }
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('invalid_input', 'The body broke off.', { cause });
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    throw new AppError('invalid_input', 'The body is not valid JSON.');
  }
}
