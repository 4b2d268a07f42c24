import type { Micros } from '../lib/clock.ts';
import type { Job } from './loop.ts';

const FLUSH_INTERVAL_MS = 10_000;

/** Buffer for the last use of API keys or sessions. Its job writes them every 10 s, so that requests do not write. */
export class LastUse {
  #usedAt = new Map<string, Micros>();

  constructor(
    private readonly name: string,
    private readonly record: (usedAt: ReadonlyMap<string, Micros>) => Promise<void>,
  ) {}

  note(id: string, at: Micros): void {
    this.#usedAt.set(id, at);
  }

  job(): Job {
    return { name: `last use of ${this.name}`, everyMs: FLUSH_INTERVAL_MS, atStop: true, step: () => this.flush() };
  }

  /** Writes the buffered times. Keeps them for the next flush if the write fails. */
  async flush(): Promise<void> {
    if (this.#usedAt.size === 0) return;
    const usedAt = this.#usedAt;
    this.#usedAt = new Map();
    try {
      await this.record(usedAt);
    } catch (error) {
      this.#usedAt = new Map([...usedAt, ...this.#usedAt]);
      throw error;
    }
  }
}
