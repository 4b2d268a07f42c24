import type { Micros } from '../lib/clock.ts';
import type { Store } from '../storage/store.ts';
import type { Job } from './loop.ts';

const FLUSH_MS = 10_000;

/** Remembers when keys were used, so that a request costs no write; the job writes it down now and then. */
export class KeyUse {
  #usedAt = new Map<string, Micros>();

  note(keyId: string, at: Micros): void {
    this.#usedAt.set(keyId, at);
  }

  job(store: Store): Job {
    return { name: 'key use', everyMs: FLUSH_MS, atStop: true, step: () => this.flush(store) };
  }

  /** Writes down what was noted since. */
  async flush(store: Store): Promise<void> {
    if (this.#usedAt.size === 0) return;
    const usedAt = this.#usedAt;
    this.#usedAt = new Map();
    try {
      await store.recordKeyUse(usedAt);
    } catch (error) {
      this.#usedAt = new Map([...usedAt, ...this.#usedAt]);
      throw error;
    }
  }
}
