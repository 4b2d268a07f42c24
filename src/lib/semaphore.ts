/** Runs at most `limit` tasks at once, in FIFO order. */
export class Semaphore {
  readonly #waiting: Array<() => void> = [];
  #running = 0;

  constructor(private readonly limit: number) {}

  /** Number of queued tasks. */
  get waiting(): number {
    return this.#waiting.length;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < this.limit) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
