import { TurnQueue } from '../lib/turn-queue.ts';

/** Mails in flight at once seldom have more different contents. */
const MAX_RESULTS = 8;

/** Content that the mails to several recipients share, and turns of the event loop for composing. */
export class SharedWork {
  readonly #results = new Map<string, Promise<unknown>>();
  /** Turns for composing, so that a claim of several mails doesn't block the event loop. */
  readonly turns = new TurnQueue();

  /** Returns the result of `compute` for a key. Computes it if it is new or was dropped. */
  get<Result>(key: string, compute: () => Result | Promise<Result>): Promise<Result> {
    const cached = this.#results.get(key);
    if (cached) return cached as Promise<Result>;
    const result = Promise.resolve().then(compute);
    for (const oldest of this.#results.keys()) if (this.#results.size >= MAX_RESULTS) this.#results.delete(oldest);
    this.#results.set(key, result);
    result.catch(() => this.#results.delete(key));
    return result;
  }

  /** Drops all results, so that no content stays in memory. */
  clear(): void {
    this.#results.clear();
  }
}
