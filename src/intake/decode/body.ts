import { AppError } from '../../domain/errors.ts';
import type { Payload } from '../../domain/submission.ts';
import { toPayload } from './entries.ts';
import { decodeJson } from './json.ts';
import { boundaryOf, decodeMultipart } from './multipart.ts';
import { decodeUrlencoded } from './urlencoded.ts';

/**
 * Reads what a form sent, whichever of the three encodings it came in: the same form gives the same payload. Throws
 * `AppError` for an empty body, a type that is not taken, a body over `maxBytes` and one that cannot be read.
 */
export async function decodeBody(request: Request, maxBytes: number): Promise<Payload> {
  if (hasNoBody(request)) throw emptySubmission();
  const contentType = request.headers.get('content-type') ?? '';
  switch (request.headers.has('content-encoding') ? 'encoded' : mediaType(contentType)) {
    case 'application/x-www-form-urlencoded':
      return toPayload(decodeUrlencoded(await readAll(request, maxBytes)));
    case 'application/json':
    // navigator.sendBeacon sends a string as text/plain.
    case 'text/plain':
      return toPayload(decodeJson(await readAll(request, maxBytes)));
    case 'multipart/form-data':
      return toPayload(await decodeMultipart(readChunks(request, maxBytes), boundaryOf(contentType)));
    default:
      await refuseNoBytes(request);
      throw unsupportedType();
  }
}

export function emptySubmission(): AppError {
  return new AppError('empty_submission', 'The form was sent empty. Fill in at least one field.');
}

function unsupportedType(): AppError {
  return new AppError(
    'unsupported_content_type',
    'This type of content is not accepted. Send application/x-www-form-urlencoded, multipart/form-data or ' +
      'application/json, without Content-Encoding.',
  );
}

function mediaType(contentType: string): string {
  const [type = ''] = contentType.split(';', 1);
  return type.trim().toLowerCase();
}

/** Looks at `body` only where no length is declared: that makes a stream, which costs more than all the rest here. */
function hasNoBody(request: Request): boolean {
  const declared = request.headers.get('content-length');
  return declared === null ? request.body === null : Number(declared) === 0;
}

/** A declared length was looked at before; without one, only reading tells. */
async function refuseNoBytes(request: Request): Promise<void> {
  if (request.headers.has('content-length')) return;
  for await (const chunk of readChunks(request, Number.MAX_SAFE_INTEGER)) {
    if (chunk.length > 0) return;
  }
}

function readAll(request: Request, maxBytes: number): Promise<Uint8Array> {
  return isDeclaredWithin(request, maxBytes) ? readDeclared(request) : gather(readChunks(request, maxBytes));
}

async function gather(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(chunks));
}

/** The body as it arrives. Throws `AppError` once it is over `maxBytes`, for one that breaks off and for zero bytes. */
async function* readChunks(request: Request, maxBytes: number): AsyncGenerator<Uint8Array> {
  if (isDeclaredWithin(request, maxBytes)) {
    yield await readDeclared(request);
    return;
  }
  let total = 0;
  try {
    for await (const chunk of request.body ?? []) {
      total += chunk.length;
      if (total > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof AppError ? error : brokenOff(error);
  }
  if (total === 0) throw emptySubmission();
}

function isDeclaredWithin(request: Request, maxBytes: number): boolean {
  return Number(request.headers.get('content-length') ?? Number.NaN) <= maxBytes;
}

function readDeclared(request: Request): Promise<Uint8Array> {
  return request.bytes().catch((error: unknown) => {
    throw brokenOff(error);
  });
}

function brokenOff(cause: unknown): AppError {
  return new AppError('unreadable_body', 'The body broke off before its end.', { cause });
}

/** Names the limit in the unit a person would use. */
export function tooLarge(maxBytes: number): AppError {
  const size =
    maxBytes >= 1024 * 1024 ? `${+(maxBytes / 1024 / 1024).toFixed(1)} MiB` : `${+(maxBytes / 1024).toFixed(1)} KiB`;
  return new AppError('body_too_large', `This is larger than the ${size} that are accepted.`);
}
