import { AppError } from '../domain/errors.ts';
import { BodyError, type Reserve, readBody } from '../lib/read-body.ts';

const SECONDS = 30;

/**
 * Reads an urlencoded or multipart body without the character U+0000, which not every database can store and nobody
 * sees. Files of a multipart body become text in base64. Throws `AppError` if it is too
 * large, too slow, incomplete or unreadable.
 */
export async function readForm(request: Request, maxBytes: number, reserve: Reserve): Promise<URLSearchParams> {
  try {
    const bytes = await readBody(request, { maxBytes, seconds: SECONDS, reserve });
    return withoutNul(await parseForm(bytes, request.headers.get('content-type') ?? ''));
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    if (error.message === 'too large') throw new AppError('body_too_large', 'The form is too large.');
    throw new AppError('body_too_slow', 'The form was not fully received. Please submit it again.', {
      cause: error,
      headers: { Connection: 'close' },
    });
  }
}

async function parseForm(bytes: Uint8Array, type: string): Promise<URLSearchParams> {
  if (!/^multipart\/form-data\b/i.test(type)) return new URLSearchParams(new TextDecoder().decode(bytes));
  const parts = await new Response(Buffer.from(bytes), { headers: { 'Content-Type': type } })
    .formData()
    .catch((cause) => {
      throw new AppError('unreadable_body', 'The form could not be read. Submit it again.', { cause });
    });
  const form = new URLSearchParams();
  for (const [name, value] of parts) {
    form.append(name, typeof value === 'string' ? value : Buffer.from(await value.bytes()).toString('base64'));
  }
  return form;
}

function withoutNul(form: URLSearchParams): URLSearchParams {
  const clean = new URLSearchParams();
  for (const [name, value] of form) clean.append(name.replaceAll('\0', ''), value.replaceAll('\0', ''));
  return clean;
}
