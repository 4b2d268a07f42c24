import { closeSync, fdatasync, openSync } from 'node:fs';
import { platform } from 'node:os';
import { type Drizzle, SyncError } from './database.ts';

/**
 * Lets a transaction be synced beside the event loop. SQLite syncs while it commits, and everybody waits for the disk: half
 * a millisecond on a good one, twenty on a bad one. What `commitUnsynced` has committed is as safe as after any other commit
 * once a `sync` that was begun later is fulfilled; until then nobody may be told of it.
 */
export class WriteAheadLog {
  #file: number | null = null;
  /** There, only SQLite asks the disk itself to write (F_FULLFSYNC). */
  readonly #isSqlitesOwn = platform() === 'darwin';

  constructor(private readonly db: Drizzle) {}

  /** Runs a transaction that does not wait for the disk. */
  commitUnsynced<Result>(transaction: () => Result): Result {
    if (this.#isSqlitesOwn) return transaction();
    // Before anything is written: each who has a file open is told of a write that failed, but nobody who opens it later. It
    // stays the same file while a connection is open.
    this.#file ??= openSync(`${this.db.$client.filename}-wal`, 'r');
    // NORMAL leaves out the sync of a commit and nothing else: those around a checkpoint stay.
    this.db.$client.run('PRAGMA synchronous = NORMAL');
    try {
      return transaction();
    } finally {
      this.db.$client.run('PRAGMA synchronous = FULL');
    }
  }

  /** Fulfilled once the log is on the disk. Throws `SyncError` if the disk did not say so. */
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
