import { SQLiteError } from 'bun:sqlite';
import { type Clock, HOUR } from '../../lib/clock.ts';
import checkpointWorker from './checkpoint-worker.js' with { type: 'text' };
import { type Drizzle, SyncError, syncErrorCode, toAppError } from './database.ts';

/** The size of the write-ahead log, in pages, that triggers a checkpoint. */
const CHECKPOINT_PAGES = 1_000;
/** Pause after a checkpoint that could not complete, because a reader needs the log. */
const RETRY_MS = 1_000;
/** Time after which an unused thread ends. */
const IDLE_MS = 10_000;

type Progress = Readonly<{ busy: number; log: number; checkpointed: number }>;

/**
 * Checkpoints the write-ahead log when it has grown to `CHECKPOINT_PAGES`, as far as open readers allow. A thread of its
 * own does so, because writing 4 MB takes 20 ms and more, and the rest takes a moment.
 */
export class Checkpointer {
  readonly #thread: CheckpointThread;
  readonly #readSize;
  readonly #finish;
  readonly #truncate;
  #running: Promise<void> | null = null;
  #syncError: SyncError | null = null;
  #retryAt = 0;
  #truncatedAt: number;

  constructor(
    db: Drizzle,
    private readonly clock: Clock,
  ) {
    this.#thread = new CheckpointThread(db.$client.filename);
    this.#readSize = db.$client.query<Progress, []>('PRAGMA wal_checkpoint(NOOP)');
    this.#finish = db.$client.query<Progress, []>('PRAGMA wal_checkpoint(PASSIVE)');
    this.#truncate = db.$client.query<Progress, []>('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#truncatedAt = clock();
  }

  /** Starts a checkpoint if the log is long. Throws `SyncError` if an earlier one failed to sync. */
  start(): void {
    if (this.#syncError) throw this.#syncError;
    if (this.#running || (this.#readSize.get()?.log ?? 0) < CHECKPOINT_PAGES) return;
    if (performance.now() < this.#retryAt) return;
    this.#running = this.#run().finally(() => {
      this.#running = null;
    });
  }

  /** Checkpoints a long log. Once an hour, and `atStop`, also truncates it, so that it holds no deleted data. */
  async maintain(atStop: boolean): Promise<void> {
    try {
      this.start();
      await this.#running;
      if (this.#syncError) throw this.#syncError;
      const now = this.clock();
      if (!atStop && Math.abs(now - this.#truncatedAt) < HOUR) return;
      // While the database is in use, the next call tries again.
      if (this.#truncate.get()?.busy === 0) this.#truncatedAt = now;
    } catch (error) {
      throw toAppError(error);
    }
  }

  async close(): Promise<void> {
    await this.#running;
    await this.#thread.end();
  }

  async #run(): Promise<void> {
    const code = await this.#thread.checkpoint();
    if (code !== null) {
      this.#syncError = new SyncError(code);
      return;
    }
    try {
      const done = this.#finish.get();
      if (done?.busy !== 0 || done.log !== done.checkpointed) this.#retryAt = performance.now() + RETRY_MS;
    } catch (error) {
      // On a full disk the log keeps growing.
      const failed = syncErrorCode(error);
      if (!(error instanceof SQLiteError)) throw error;
      if (failed !== null) this.#syncError = new SyncError(failed);
    }
  }
}

/** The thread of a `Checkpointer`, which starts when it is needed. */
class CheckpointThread {
  #worker: Worker | null = null;
  #idle: Timer | undefined;

  constructor(private readonly path: string) {}

  /** Returns the code of a failed sync, or null. */
  async checkpoint(): Promise<string | null> {
    clearTimeout(this.#idle);
    const code = await this.#ask(this.path);
    this.#idle = setTimeout(() => void this.end(), IDLE_MS);
    this.#idle.unref();
    return code;
  }

  async end(): Promise<void> {
    clearTimeout(this.#idle);
    if (!this.#worker) return;
    const worker = this.#worker;
    const closed = this.#ask('close');
    this.#worker = null;
    await closed;
    worker.terminate();
  }

  #ask(message: string): Promise<string | null> {
    this.#worker ??= startWorker();
    const worker = this.#worker;
    const { promise, resolve } = Promise.withResolvers<string | null>();
    worker.onmessage = ({ data }) => resolve(data);
    // Without the thread, the event loop does all of it.
    worker.onerror = () => resolve(null);
    worker.postMessage(message);
    return promise;
  }
}

let workerUrl: string | null = null;

function startWorker(): Worker {
  // Imported as text, so that the compiled binary contains it. Never revoked: a worker that still loads would hang.
  workerUrl ??= URL.createObjectURL(new Blob([checkpointWorker], { type: 'text/javascript' }));
  return new Worker(workerUrl);
}
