import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';

/** Mails in flight at once seldom have more different contents. */
const MAX_RESULTS = 8;

/** Content that the mails to several recipients share, composed in one turn of the event loop each. */
export class SharedWork {
  readonly #results = new Map<string, Promise<unknown>>();
  #turns = Promise.resolve();

  /** Returns the result of `compute` for a key. Computes it if it is new or was dropped, after pending I/O. */
  get<Result>(key: string, compute: () => Result | Promise<Result>): Promise<Result> {
    const known = this.#results.get(key);
    if (known) return known as Promise<Result>;
    this.#turns = this.#turns.then(yieldToEventLoop);
    const result = this.#turns.then(compute);
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
