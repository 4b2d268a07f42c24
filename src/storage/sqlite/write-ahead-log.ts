import { closeSync, fdatasync, openSync } from 'node:fs';
import { platform } from 'node:os';
import { type Drizzle, SyncError } from './database.ts';

/**
 * Syncs transactions outside the event loop. A normal SQLite commit blocks the process until the disk has synced, for
 * 0.5 ms on a fast disk and 20 ms on a slow one. A transaction from `commitUnsynced` is durable when a `sync` started
 * after it resolves; do not report it as stored before that.
 */
export class WriteAheadLog {
  #file: number | null = null;
  /** On macOS only SQLite issues F_FULLFSYNC, so it keeps syncing each commit. */
  readonly #syncsOnCommit = platform() === 'darwin';

  constructor(private readonly db: Drizzle) {}

  /** Runs a transaction without waiting for the disk. */
  commitUnsynced<Result>(transaction: () => Result): Result {
    if (this.#syncsOnCommit) return transaction();
    // Open the WAL first: Linux reports a failed write-back only to descriptors that were already open. SQLite keeps
    // the same file while a connection is open.
    this.#file ??= openSync(`${this.db.$client.filename}-wal`, 'r');
    // NORMAL only omits the sync of a commit. Checkpoints still sync.
    this.db.$client.run('PRAGMA synchronous = NORMAL');
    try {
      return transaction();
    } finally {
      this.db.$client.run('PRAGMA synchronous = FULL');
    }
  }

  /** Resolves when the log is on disk. Throws `SyncError` if the sync fails. */
  async sync(): Promise<void> {
    const file = this.#file;
    if (file === null) return;
    await new Promise<void>((resolve, reject) => {
      fdatasync(file, (error) => (error ? reject(new SyncError(error.code ?? 'unknown')) : resolve()));
    });
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
