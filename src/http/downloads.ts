import { AppError } from '../domain/errors.ts';
import { abortable } from '../lib/abortable';
import type { Logger } from '../lib/log.ts';
import { IDLE_SECONDS } from './idle-timeout.ts';

/** How many downloads a key or a session has at once. */
export const MOST_DOWNLOADS = 64;
const SLOWEST_BYTES_A_SECOND = 8 * 1024;
/** Shorter than what the runtime waits, so that it is this which ends a download, and says so. */
const PATIENCE_SECONDS = IDLE_SECONDS - 20;
const BUSY_SECONDS = 10;

type Bytes = AsyncGenerator<string | Uint8Array>;

/**
 * Bodies that are made as they are read. Each holds a connection, and a file or a place in the database, for as long as its reader
 * likes: so a reader has only so many, and one that is too slow loses it. The system's buffers take more than a MB of a download at
 * once, and room in them is told of in large steps: as measured, one that reads 12 KB a second is cut off, one that reads 16 is not.
 */
export class Downloads {
  readonly #held = new Map<string, number>();

  /** `patienceMs` is what a reader may take for a piece, and a second more for each 8 KiB of it. */
  constructor(
    private readonly log: Logger,
    private readonly patienceMs = PATIENCE_SECONDS * 1_000,
  ) {}

  /** A body of these bytes for a reader of this name. Throws `rate_limited` if that has too many. */
  of(reader: string, bytes: Bytes): ReadableStream {
    const release = this.#hold(reader);
    return this.#send(bytes, reader, release);
  }

  /** The same, begun: what keeps the first piece from being read is thrown, and is an answer yet. */
  async begun(reader: string, bytes: Bytes): Promise<ReadableStream> {
    const release = this.#hold(reader);
    try {
      return this.#send(bytes, reader, release, await bytes.next());
    } catch (error) {
      release();
      throw error;
    }
  }

  #hold(reader: string): () => void {
    const held = this.#held.get(reader) ?? 0;
    if (held >= MOST_DOWNLOADS) {
      throw new AppError('rate_limited', `More than ${MOST_DOWNLOADS} downloads at once. Let one of them end first.`, {
        headers: { 'Retry-After': String(BUSY_SECONDS) },
      });
    }
    this.#held.set(reader, held + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (this.#held.get(reader) ?? 1) - 1;
      if (left > 0) this.#held.set(reader, left);
      else this.#held.delete(reader);
    };
  }

  /** A direct stream: where its work fails, the connection is cut at once, whatever is still unsent. */
  #send(
    bytes: Bytes,
    reader: string,
    release: () => void,
    first?: IteratorResult<string | Uint8Array>,
  ): ReadableStream {
    const gone = new AbortController();
    let isWaiting = false;
    const write = async (controller: ReadableStreamDirectController, piece: string | Uint8Array) => {
      const written = controller.write(piece);
      if (typeof written === 'number') return;
      const patience = AbortSignal.timeout(this.patienceMs + (piece.length / SLOWEST_BYTES_A_SECOND) * 1_000);
      isWaiting = true;
      await abortable(AbortSignal.any([gone.signal, patience]), written).finally(() => {
        isWaiting = false;
      });
    };
    return new ReadableStream({
      type: 'direct',
      pull: async (controller: ReadableStreamDirectController) => {
        try {
          if (first && !first.done) await write(controller, first.value);
          for await (const piece of bytes) await write(controller, piece);
          if (!gone.signal.aborted) controller.close();
        } catch (error) {
          if (gone.signal.aborted) return;
          const isLate = error instanceof Error && error.name === 'TimeoutError';
          if (isLate) this.log.info('a download was cut off: its reader is too slow', { reader });
          throw error;
        } finally {
          release();
          await bytes.return(undefined);
        }
      },
      // Also for HEAD, and where the reader has gone before the first piece.
      cancel: async () => {
        if (isWaiting) this.log.info('a download was broken off: its reader has gone, or took nothing', { reader });
        gone.abort();
        release();
        await bytes.return(undefined);
      },
    });
  }
}
