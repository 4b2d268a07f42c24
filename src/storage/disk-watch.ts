import { AppError } from '../domain/errors.ts';
import { type Clock, type Micros, SECOND } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';

const FREE_BYTES_TTL = SECOND;

type Options = Readonly<{
  /** Returns the free bytes of the disk. Called at most once a second, before each refusal, and by `check`. */
  readFreeBytes: () => number;
  /** The space to keep free, in bytes; 0 for no limit. */
  minFreeBytes: number;
  monotonic: Clock;
  log: Logger;
}>;

/** Guard against a full or failing disk. All writers of a process share one instance. */
export class DiskWatch {
  /** True after a submission could not be stored, until one is stored or could be. */
  isRefusing = false;
  readonly #failure = Promise.withResolvers<void>();
  #hasFailed = false;
  #isDamaged = false;
  #isLow = false;
  #free = 0;
  #measuredAt: Micros | null = null;

  constructor(private readonly options: Options) {}

  /** Resolves when a sync has failed. The process must exit; the next one reads the actual state of the disk. */
  get failure(): Promise<void> {
    return this.#failure.promise;
  }

  /** True while the free space is below `minFreeBytes` as last measured, and submissions are refused. */
  get isLow(): boolean {
    return this.#isLow;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** True once SQLite has found damage in the database. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** Records damage of the database. It lasts until a backup is restored. */
  reportDamage(fault: string): void {
    if (this.#isDamaged) return;
    this.#isDamaged = true;
    this.options.log.error('the database is damaged', { error: fault });
  }

  /**
   * Records a failed sync. The kernel may drop the unwritten pages and report the next sync as a success, so all later
   * writes are refused.
   */
  reportSyncFailure(what: 'database' | 'file' | 'folder', code: string): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.options.log.error('fsync failed: later writes cannot be trusted, shutting down', { what, code });
    this.#failure.resolve();
  }

  /** Throws `AppError('storage_unavailable')` once a sync has failed. */
  requireHealthy(): void {
    if (this.#hasFailed) throw unavailable('Storage has failed, and nothing can be saved right now.', 'EIO');
  }

  /**
   * Subtracts `bytes` from the known free space. Throws `AppError('storage_unavailable')` if less than `minFreeBytes`
   * would stay free, or after a failed sync.
   */
  reserve(bytes: number): void {
    this.requireHealthy();
    const { minFreeBytes, monotonic } = this.options;
    if (minFreeBytes === 0) return;
    const isStale = this.#measuredAt === null || monotonic() - this.#measuredAt > FREE_BYTES_TTL;
    if (isStale || this.#free - bytes < minFreeBytes) this.#measure();
    const isLow = this.#free - bytes < minFreeBytes;
    this.#report(isLow);
    if (isLow) throw unavailable('There is not enough disk space, and nothing was saved.', 'ENOSPC');
    this.#free -= bytes;
  }

  /** Logs if the free space has fallen below `minFreeBytes`, also without a submission. */
  check(): void {
    if (this.options.minFreeBytes === 0) return;
    this.#measure();
    if (this.#free < this.options.minFreeBytes) this.#report(true);
  }

  #measure(): void {
    this.#free = this.options.readFreeBytes();
    this.#measuredAt = this.options.monotonic();
  }

  #report(isLow: boolean): void {
    if (isLow === this.#isLow) return;
    this.#isLow = isLow;
    const { minFreeBytes, log } = this.options;
    const fields = { free_bytes: this.#free, min_free_bytes: minFreeBytes };
    if (isLow) log.error('disk almost full: submissions are refused until space is freed', fields);
    else log.info('disk space available again: submissions are accepted', fields);
  }
}

function unavailable(message: string, code: string): AppError {
  return new AppError('storage_unavailable', `${message} Please try again in a minute.`, {
    headers: { 'Retry-After': '60' },
    cause: Object.assign(new Error(message), { code }),
  });
}
