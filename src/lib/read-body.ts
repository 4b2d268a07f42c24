import { yieldToEventLoop } from './yield-to-event-loop';
/** Why a body was not read to its end; `maxBytes` is the limit that it was read under. */
export class BodyError extends Error {
  constructor(
    readonly reason: 'too large' | 'too slow' | 'broken off',
    readonly maxBytes: number,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

/**
 * How much of a body is read, and how long: it gets `seconds` and one more for each 32 KiB that have arrived, or that a
 * short one is declared to have. So a
 * connection that only drips is cut off, and a slow one that carries a file is not.
 */
export type BodyLimits = Readonly<{ maxBytes: number; seconds: number }>;

const MIN_BYTES_PER_SECOND = 32 * 1024;
const SMALL_CHUNK_BYTES = 4096;

/** Whether a body says of itself that it is this short. */
export function isDeclaredAtMost(request: Request, maxBytes: number): boolean {
  return Number(request.headers.get('content-length') ?? Number.NaN) <= maxBytes;
}

/** The whole body at once. Throws `BodyError`. */
export async function readBody(request: Request, { maxBytes, seconds }: BodyLimits): Promise<Uint8Array> {
  if (!isDeclaredAtMost(request, maxBytes)) {
    return Buffer.concat(
      await Array.fromAsync(readChunks(request, { maxBytes, seconds }), (bytes) => Buffer.from(bytes)),
    );
  }
  const declared = Number(request.headers.get('content-length'));
  const timedOut = Promise.withResolvers<never>();
  const timer = setTimeout(() => timedOut.reject(new BodyError('too slow', maxBytes)), timeoutMs(seconds, declared));
  try {
    return await Promise.race([request.bytes(), timedOut.promise]);
  } catch (cause) {
    throw cause instanceof BodyError ? cause : new BodyError('broken off', maxBytes, { cause });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The body as it arrives, each piece good until the next is asked for; no more is taken from the connection than that.
 * Throws `BodyError`.
 */
export async function* readChunks(request: Request, { maxBytes, seconds }: BodyLimits): AsyncGenerator<Uint8Array> {
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
      // Meanwhile what follows gathers into one piece, and others get their turn: a body may come in bytes.
      if (value.length < SMALL_CHUNK_BYTES) await yieldToEventLoop();
      else freeBuffer(value);
    }
  } catch (cause) {
    throw cause instanceof BodyError ? cause : new BodyError('broken off', maxBytes, { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** Frees the memory at once: many large bodies are read faster than the collector looks after them. */
function freeBuffer({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (buffer.byteLength === byteLength) buffer.transfer(0);
}

function timeoutMs(seconds: number, bytes: number): number {
  return (seconds + bytes / MIN_BYTES_PER_SECOND) * 1000;
}
