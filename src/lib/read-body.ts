import { freeBuffer } from './free-buffer.ts';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** A request body that could not be read completely; `maxBytes` is the limit it was read under. */
export class BodyError extends Error {
  constructor(
    override readonly message: 'too large' | 'too slow' | 'aborted',
    readonly maxBytes: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Reserves memory for a part of a body. Throws if there is none. */
export type Reserve = (bytes: number) => void;

/**
 * Limits for one body. The deadline is `seconds`, extended by one second per 32 KiB received, or declared for a body
 * within `maxBytes`, so that slow uploads succeed and trickling connections time out.
 */
export type BodyLimits = Readonly<{ maxBytes: number; seconds: number; reserve: Reserve }>;

/** Length up to which a body usually arrives in one piece with its headers. */
const SHORT_BYTES = 8 * 1024;
const MIN_BYTES_PER_SECOND = 32 * 1024;
const SMALL_CHUNK_BYTES = 4096;
/** Reserved for a body that is read in chunks: what sealing a file collects. Chunks of slow clients are small. */
const STREAM_BYTES = 128 * 1024;

/** Reports whether Content-Length is present and at most `maxBytes`. */
export function isDeclaredAtMost(request: Request, maxBytes: number): boolean {
  return Number(request.headers.get('content-length') ?? Number.NaN) <= maxBytes;
}

/**
 * Reads the whole body, with memory reserved before it is read. A short one is read in the next turn of the event loop,
 * so that concurrent requests take turns. Throws `BodyError`.
 */
export async function readBody(request: Request, limits: BodyLimits): Promise<Uint8Array> {
  const { maxBytes, seconds, reserve } = limits;
  const length = request.headers.get('content-length');
  if (Number(length) > maxBytes) throw new BodyError('too large', maxBytes);
  if (length === null) {
    const copy = (bytes: Uint8Array) => {
      reserve(bytes.length);
      return Buffer.from(bytes);
    };
    return Buffer.concat(await Array.fromAsync(readChunks(request, limits), copy));
  }
  const declared = Number(length);
  reserve(declared);
  if (declared <= SHORT_BYTES) await yieldToEventLoop();
  const reading = request.bytes();
  // Without a deadline, whose timer costs more than the reading.
  if (Bun.peek.status(reading) === 'fulfilled') return reading;
  const timedOut = Promise.withResolvers<never>();
  const timer = setTimeout(() => timedOut.reject(new BodyError('too slow', maxBytes)), timeoutMs(seconds, declared));
  try {
    return await Promise.race([reading, timedOut.promise]);
  } catch (cause) {
    throw cause instanceof BodyError ? cause : new BodyError('aborted', maxBytes, { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** Reads the body in chunks, with backpressure; each is valid only until the next is requested. Throws `BodyError`. */
export async function* readChunks(
  request: Request,
  { maxBytes, seconds, reserve }: BodyLimits,
): AsyncGenerator<Uint8Array> {
  reserve(Math.min(maxBytes, STREAM_BYTES));
  const reader = request.body?.getReader();
  if (!reader) return;
  const startedAt = performance.now();
  let total = 0;
  let hasTimedOut = false;
  let timer = setTimeout(check, seconds * 1000);
  function check() {
    const remainingMs = timeoutMs(seconds, total) - (performance.now() - startedAt);
    if (remainingMs > 0) timer = setTimeout(check, remainingMs);
    else {
      hasTimedOut = true;
      reader?.cancel().catch(() => {});
    }
  }
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (hasTimedOut) throw new BodyError('too slow', maxBytes);
      if (done) return;
      total += value.length;
      if (total > maxBytes) throw new BodyError('too large', maxBytes);
      yield value;
      // A body may arrive byte by byte. Yielding lets following data accumulate into one chunk and other requests run.
      if (value.length < SMALL_CHUNK_BYTES) await yieldToEventLoop();
      else freeBuffer(value);
    }
  } catch (cause) {
    throw cause instanceof BodyError ? cause : new BodyError('aborted', maxBytes, { cause });
  } finally {
    clearTimeout(timer);
  }
}

const timeoutMs = (seconds: number, bytes: number): number => (seconds + bytes / MIN_BYTES_PER_SECOND) * 1000;
