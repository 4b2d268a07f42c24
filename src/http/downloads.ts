import { AppError } from '../domain/errors.ts';
import { abortable } from '../lib/abortable.ts';
import type { Logger } from '../lib/log.ts';
import { IDLE_SECONDS } from './idle-timeout.ts';

/** Limit of concurrent downloads per key or session. */
export const MAX_DOWNLOADS = 64;
/** Limits of concurrent exports, of which each holds some 10 MiB: per key or person, and in all. */
export const MAX_EXPORTS = { reader: 4, all: 16 };
const MIN_BYTES_PER_SECOND = 8 * 1024;
/** Expires before the idle timeout of the server, so that slow downloads end here and are logged. */
const STALL_TIMEOUT_SECONDS = IDLE_SECONDS - 20;
const RETRY_AFTER_SECONDS = 10;

type Bytes = AsyncGenerator<string | Uint8Array>;

/** Throws if the reader has lost access since the download began. */
type RequireAccess = () => Promise<unknown>;

/**
 * Streams response bodies as they are generated. Each holds a connection and a file or database cursor, so the number
 * per reader is limited and slow readers are cut off. Because the system buffers more than 1 MB per connection, the
 * effective limit is coarse: measured, 12 KB per second is cut off and 16 KB per second is not.
 */
export class Downloads {
  readonly #held = new Map<string, number>();

  /** `stallMs` is the time limit for one chunk, extended by one second per 8 KiB. */
  constructor(
    private readonly log: Logger,
    private readonly stallMs = STALL_TIMEOUT_SECONDS * 1_000,
  ) {}

  /**
   * Returns a body of an export, which breaks off once `requireAccess` throws. `reader` is a key or a person. Throws
   * `rate_limited` beyond `MAX_EXPORTS`.
   */
  stream(reader: string, bytes: Bytes, requireAccess: RequireAccess): ReadableStream {
    const ofAll = this.#hold('exports', MAX_EXPORTS.all);
    const ofReader = this.#holdOrElse(`exports of ${reader}`, MAX_EXPORTS.reader, ofAll);
    const release = () => {
      ofAll();
      ofReader();
    };
    return this.#send(this.#whileAllowed(bytes, reader, requireAccess), reader, release);
  }

  /**
   * Returns a body of a file after reading its first chunk, so that an error can become an error response. Throws
   * `rate_limited` if the reader has `MAX_DOWNLOADS` open.
   */
  async streamPrefetched(reader: string, bytes: Bytes, requireAccess: RequireAccess): Promise<ReadableStream> {
    const release = this.#hold(reader, MAX_DOWNLOADS);
    const checked = this.#whileAllowed(bytes, reader, requireAccess);
    try {
      return this.#send(checked, reader, release, await checked.next());
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Yields the same chunks and checks the access before each. */
  async *#whileAllowed(bytes: Bytes, reader: string, requireAccess: RequireAccess): Bytes {
    for await (const chunk of bytes) {
      await requireAccess().catch((error: unknown) => {
        this.log.info('download aborted: access was checked and refused', { reader, error: String(error) });
        throw error;
      });
      yield chunk;
    }
  }

  /** Like `#hold`, and calls `release` if it throws. */
  #holdOrElse(reader: string, limit: number, release: () => void): () => void {
    try {
      return this.#hold(reader, limit);
    } catch (error) {
      release();
      throw error;
    }
  }

  #hold(reader: string, limit: number): () => void {
    const held = this.#held.get(reader) ?? 0;
    if (held >= limit) {
      const message = `Too many downloads: the limit is ${limit} at once. Wait for one to finish.`;
      throw new AppError('rate_limited', message, {
        headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
        reason: ['too_many_downloads', limit],
      });
    }
    this.#held.set(reader, held + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const remaining = (this.#held.get(reader) ?? 1) - 1;
      if (remaining > 0) this.#held.set(reader, remaining);
      else this.#held.delete(reader);
    };
  }

  /** Returns a direct stream: on an error it closes the connection at once, even with unsent data. */
  #send(
    bytes: Bytes,
    reader: string,
    release: () => void,
    first?: IteratorResult<string | Uint8Array>,
  ): ReadableStream {
    const disconnected = new AbortController();
    let isWaiting = false;
    const write = async (controller: ReadableStreamDirectController, chunk: string | Uint8Array) => {
      const written = controller.write(chunk);
      if (typeof written === 'number') return;
      const stalled = AbortSignal.timeout(this.stallMs + (chunk.length / MIN_BYTES_PER_SECOND) * 1_000);
      isWaiting = true;
      await abortable(AbortSignal.any([disconnected.signal, stalled]), written).finally(() => {
        isWaiting = false;
      });
    };
    return new ReadableStream({
      type: 'direct',
      pull: async (controller: ReadableStreamDirectController) => {
        try {
          if (first && !first.done) await write(controller, first.value);
          for await (const chunk of bytes) await write(controller, chunk);
          if (!disconnected.signal.aborted) controller.close();
        } catch (error) {
          if (disconnected.signal.aborted) return;
          const isTimeout = error instanceof Error && error.name === 'TimeoutError';
          if (isTimeout) this.log.info('download aborted: the client is too slow', { reader });
          throw error;
        } finally {
          release();
          await bytes.return(undefined);
        }
      },
      // Also called for HEAD, and if the client disconnects before the first chunk.
      cancel: async () => {
        if (isWaiting) this.log.info('download aborted: the client disconnected or read nothing', { reader });
        disconnected.abort();
        release();
        await bytes.return(undefined);
      },
    });
  }
}
