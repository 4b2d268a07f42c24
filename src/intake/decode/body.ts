import { AppError } from '../../domain/errors.ts';
import type { Payload } from '../../domain/submissions/submission.ts';
import { freeBuffer } from '../../lib/free-buffer.ts';
import * as bodies from '../../lib/read-body.ts';
import { TurnQueue } from '../../lib/turn-queue.ts';
import { emptySubmission, tooLarge } from '../refusals.ts';
import { refuseLongName, refuseLongValue, refuseTooManyFields, type TextEntry, toPayload } from './entries.ts';
import { decodeJson } from './json.ts';
import { decodeMultipart, type FileSink, getBoundary, malformed } from './multipart.ts';
import { lossyUtf8 } from './utf8.ts';

/**
 * Longer bodies are decoded in separate turns, because decoding, scoring and storing 1 MiB takes up to 20 ms. Shorter
 * posts take about four turns each, so the queue rests in between.
 */
const LONG_BYTES = 64 * 1024;
const longBodies = new TurnQueue(2);
/** Uploads up to this length take turns without rests, because hashing, sealing and writing a file of 256 KiB takes 1 ms. */
const SHORT_UPLOAD_BYTES = 256 * 1024;
const shortUploads = new TurnQueue();

/** Limits of a post: bytes of text, bytes with files, seconds for the transfer, and memory (see `BodyLimits`). */
export type PostLimits = Readonly<{ textBytes: number; uploadBytes: number; seconds: number; reserve: bodies.Reserve }>;

/**
 * Decodes a request body. All three encodings give the same payload for the same form; files are written to `files` as
 * they arrive. Throws `AppError` for an empty, unreadable, too large or too slow body and an unsupported content type.
 */
export async function decodeBody(request: Request, limits: PostLimits, files: FileSink): Promise<Payload> {
  const { textBytes, seconds, reserve } = limits;
  if (hasNoBody(request)) throw emptySubmission();
  const contentType = request.headers.get('content-type') ?? '';
  const text = { maxBytes: textBytes, seconds, reserve };
  try {
    switch (request.headers.has('content-encoding') ? 'encoded' : mediaType(contentType)) {
      case 'application/x-www-form-urlencoded':
        return toPayload(decodeUrlencoded(await readAtOnce(request, text, longBodies)));
      case 'application/json':
      // navigator.sendBeacon sends a string as text/plain.
      case 'text/plain':
        return toPayload(await decodeJson(await readAtOnce(request, text, longBodies)));
      case 'multipart/form-data': {
        const boundary = getBoundary(contentType);
        if (boundary !== null) return toPayload(await decodeUpload(request, limits, boundary, files));
        await requireNonEmpty(request, limits);
        throw malformed('its Content-Type has no boundary');
      }
      default:
        await requireNonEmpty(request, limits);
        throw unsupportedType();
    }
  } catch (error) {
    throw error instanceof bodies.BodyError ? toAppError(error) : error;
  }
}

async function decodeUpload(request: Request, limits: PostLimits, boundary: string, files: FileSink) {
  const { textBytes, uploadBytes, seconds, reserve } = limits;
  const text = { maxBytes: textBytes, seconds, reserve };
  if (bodies.isDeclaredAtMost(request, textBytes)) {
    const isShort = bodies.isDeclaredAtMost(request, SHORT_UPLOAD_BYTES);
    const bytes = await readAtOnce(request, text, isShort ? shortUploads : longBodies);
    const hooks = isShort ? { nextTurn: () => longBodies.next() } : {};
    const entries = await decodeMultipart([bytes], boundary, textBytes, files, hooks);
    freeBuffer(bytes);
    return entries;
  }
  const chunks = bodies.readChunks(request, { ...text, maxBytes: Math.max(textBytes, uploadBytes) });
  return decodeMultipart(chunks, boundary, textBytes, files, { reserve });
}

const RETRY = 'Check the connection and try again.';

function toAppError(error: bodies.BodyError): AppError {
  switch (error.message) {
    case 'too large':
      return tooLarge(error.maxBytes);
    case 'too slow':
      return new AppError('body_too_slow', `The request body took too long to arrive. ${RETRY}`, {
        headers: { Connection: 'close' },
      });
    case 'aborted':
      return new AppError('unreadable_body', `The request body ended early. ${RETRY}`, { cause: error });
  }
}

function unsupportedType(): AppError {
  return new AppError(
    'unsupported_content_type',
    'This content type is not supported. Send application/x-www-form-urlencoded, multipart/form-data or ' +
      'application/json, without Content-Encoding.',
    { limit: 'application/x-www-form-urlencoded, multipart/form-data, application/json' },
  );
}

function mediaType(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/** Reads `request.body` only without Content-Length, since it creates a stream, the most expensive step here. */
function hasNoBody(request: Request): boolean {
  const declared = request.headers.get('content-length');
  return declared === null ? request.body === null : Number(declared) === 0;
}

async function readAtOnce(request: Request, limits: bodies.BodyLimits, queue: TurnQueue): Promise<Uint8Array> {
  const bytes = await bodies.readBody(request, limits);
  if (bytes.length === 0) throw emptySubmission();
  if (bytes.length > LONG_BYTES) await queue.next();
  return bytes;
}

/** Throws `empty_submission` for a chunked body without bytes; a declared length was checked before. */
async function requireNonEmpty(request: Request, limits: Pick<PostLimits, 'seconds' | 'reserve'>): Promise<void> {
  if (request.headers.has('content-length')) return;
  for await (const chunk of bodies.readChunks(request, { ...limits, maxBytes: Number.MAX_SAFE_INTEGER })) {
    if (chunk.length > 0) return;
  }
  throw emptySubmission();
}

/**
 * Decodes `application/x-www-form-urlencoded` by the WHATWG URL standard, section 5.1: malformed percent-encoding stays
 * as it is, invalid UTF-8 becomes U+FFFD. Throws `AppError` beyond the limits.
 */
export function decodeUrlencoded(body: Uint8Array): TextEntry[] {
  // Empty pairs count for nothing, but a million of them took 20 ms.
  const text = lossyUtf8(body).replace(/&&+/g, '&');
  refuseTooManyPairs(text);
  const entries: TextEntry[] = [];
  // URLSearchParams drops a leading question mark; a leading ampersand prevents that and adds no field.
  new URLSearchParams(`&${text}`).forEach((value, name) => {
    refuseLongName(name);
    refuseLongValue(name, value);
    entries.push([name, value]);
  });
  return entries;
}

/** Throws `too_many_fields` before `URLSearchParams` builds the fields. */
function refuseTooManyPairs(text: string): void {
  let pairs = 0;
  for (let start = 0; start < text.length; ) {
    const ampersand = text.indexOf('&', start);
    const end = ampersand === -1 ? text.length : ampersand;
    if (end > start) refuseTooManyFields(++pairs);
    start = end + 1;
  }
}
