import { AppError } from '../../domain/errors.ts';
import type { Payload } from '../../domain/submission.ts';
import { BodyError, type BodyLimits, isDeclaredAtMost, readBody, readChunks } from '../../lib/read-body.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { emptySubmission, tooLarge } from '../refusals.ts';
import { toPayload } from './entries.ts';
import { decodeJson } from './json.ts';
import { boundaryOf, decodeMultipart, type FileSink, malformed } from './multipart.ts';
import { decodeUrlencoded } from './urlencoded.ts';

/** Longer bodies take their time, and must not do so one right after the other. */
const SHORT_BYTES = 8 * 1024;

/** How much a post may hold, of text and with files, and how long it may take (see `BodyLimits`). */
export type PostLimits = Readonly<{ textBytes: number; uploadBytes: number; seconds: number }>;

/**
 * Reads what a form sent, whichever of the three encodings it came in: the same form gives the same payload. Files go to
 * `files` as they arrive. Throws `AppError` for an empty body, a type that is not taken, a body that is too large or too
 * slow and one that cannot be read.
 */
export async function decodeBody(request: Request, limits: PostLimits, files: FileSink): Promise<Payload> {
  try {
    return toPayload(await decodeEntries(request, limits, files));
  } catch (error) {
    throw error instanceof BodyError ? explain(error) : error;
  }
}

async function decodeEntries(request: Request, { textBytes, uploadBytes, seconds }: PostLimits, files: FileSink) {
  if (hasNoBody(request)) throw emptySubmission();
  const contentType = request.headers.get('content-type') ?? '';
  const text = { maxBytes: textBytes, seconds };
  switch (request.headers.has('content-encoding') ? 'encoded' : mediaType(contentType)) {
    case 'application/x-www-form-urlencoded':
      return decodeUrlencoded(await readText(request, text));
    case 'application/json':
    // navigator.sendBeacon sends a string as text/plain.
    case 'text/plain':
      return decodeJson(await readText(request, text));
    case 'multipart/form-data': {
      const boundary = boundaryOf(contentType);
      if (boundary === null) {
        await refuseNoBytes(request, seconds);
        throw malformed('its Content-Type names no boundary');
      }
      const chunks = isDeclaredAtMost(request, textBytes)
        ? [await readAtOnce(request, text)]
        : readChunks(request, { maxBytes: Math.max(textBytes, uploadBytes), seconds });
      return decodeMultipart(chunks, boundary, textBytes, files);
    }
    default:
      await refuseNoBytes(request, seconds);
      throw unsupportedType();
  }
}

function explain(error: BodyError): AppError {
  switch (error.reason) {
    case 'too large':
      return tooLarge(error.maxBytes);
    case 'too slow':
      return new AppError('body_too_slow', 'The body took too long to arrive. Check the connection and try again.', {
        headers: { Connection: 'close' },
      });
    case 'aborted':
      return new AppError('unreadable_body', 'The body broke off before its end.', { cause: error });
  }
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

async function readText(request: Request, limits: BodyLimits) {
  const bytes = await readAtOnce(request, limits);
  if (bytes.length === 0) throw emptySubmission();
  return bytes;
}

async function readAtOnce(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  const bytes = await readBody(request, limits);
  if (bytes.length <= SHORT_BYTES) await yieldToEventLoop();
  return bytes;
}

/** A declared length was looked at before; without one, only reading tells. */
async function refuseNoBytes(request: Request, seconds: number): Promise<void> {
  if (request.headers.has('content-length')) return;
  for await (const chunk of readChunks(request, { maxBytes: Number.MAX_SAFE_INTEGER, seconds })) {
    if (chunk.length > 0) return;
  }
  throw emptySubmission();
}
