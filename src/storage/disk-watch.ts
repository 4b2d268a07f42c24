import { AppError } from '../domain/errors.ts';
import { type Clock, type Micros, SECOND } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';

/** How long a look at the free space holds. */
const LOOK_HOLDS = SECOND;

type Options = Readonly<{
  /** How many bytes may still be written; it is asked at most once a second, and before anything is refused. */
  measure: () => number;
  /** So many are to stay free; 0 for no floor. */
  least: number;
  monotonic: Clock;
  log: Logger;
}>;

/** What the disk of a data directory can be trusted with. A process has one, and all that write there ask it. */
export class DiskWatch {
  readonly #failure = Promise.withResolvers<void>();
  #hasFailed = false;
  #isLow = false;
  #free = 0;
  #lookedAt: Micros | null = null;

  constructor(private readonly options: Options) {}

  /** Fulfilled once a sync has failed: the process has to end, and the next one reads what is really there. */
  get failure(): Promise<void> {
    return this.#failure.promise;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /**
   * Says that a sync failed. The system may have dropped what was to be written and call the next sync a success, so no
   * later one is believed.
   */
  syncFailed(what: 'database' | 'file' | 'folder', code: string): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.options.log.error('a sync failed: nothing written from now on can be trusted, and the server ends', {
      what,
      code,
    });
    this.#failure.resolve();
  }

  /** Throws `AppError('storage_unavailable')` once a sync has failed. */
  requireTrust(): void {
    if (this.#hasFailed) throw unavailable('The storage has failed, and nothing is kept just now.', 'EIO');
  }

  /** Takes so many bytes of what is free. Throws `AppError('storage_unavailable')` where fewer than the floor would be left. */
  requireRoom(bytes: number): void {
    this.requireTrust();
    const { measure, least, monotonic, log } = this.options;
    if (least === 0) return;
    const now = monotonic();
    const isOld = this.#lookedAt === null || now - this.#lookedAt > LOOK_HOLDS;
    if (isOld || this.#free - bytes < least) {
      this.#free = measure();
      this.#lookedAt = now;
    }
    const isLow = this.#free - bytes < least;
    if (isLow !== this.#isLow) {
      this.#isLow = isLow;
      const facts = { free_bytes: this.#free, min_free_bytes: least };
      if (isLow) log.error('the disk is almost full: posts are refused until there is room', facts);
      else log.info('there is room on the disk again: posts are taken', facts);
    }
    if (isLow) throw unavailable('There is no room to keep this just now, and nothing was kept.', 'ENOSPC');
    this.#free -= bytes;
  }
}

function unavailable(says: string, code: string): AppError {
  return new AppError('storage_unavailable', `${says} Please try again in a minute.`, {
    headers: { 'Retry-After': '60' },
    cause: Object.assign(new Error(says), { code }),
  });
}
