import type { Micros } from '../lib/clock.ts';
import type { Job } from './loop.ts';

const FLUSH_MS = 10_000;

/** Remembers when things such as keys were last used, so that a request costs no write; the job writes it down now and then. */
export class LastUse {
  #usedAt = new Map<string, Micros>();

  constructor(
    private readonly what: string,
    private readonly record: (usedAt: ReadonlyMap<string, Micros>) => Promise<void>,
  ) {}

  note(id: string, at: Micros): void {
    this.#usedAt.set(id, at);
  }

  job(): Job {
    return { name: `use of ${this.what}`, everyMs: FLUSH_MS, atStop: true, step: () => this.flush() };
  }

  /** Writes down what was noted since. */
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
