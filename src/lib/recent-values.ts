import type { Micros } from './clock.ts';

/** Values of the keys that were asked for last. A value is read again once it is older than `maxAge`. */
export class RecentValues<Value> {
  readonly #entries = new Map<string, { readAt: Micros; value: Value | Promise<Value> }>();

  constructor(
    private readonly maxAge: Micros,
    private readonly maxKeys: number,
  ) {}

  /**
   * Returns the value of a key; a promise only if it has to be read. `read` gets the value before, undefined if there is
   * none, and must not reject.
   */
  find(key: string, now: Micros, read: (before: Value | Promise<Value> | undefined) => Promise<Value>) {
    const cached = this.#entries.get(key);
    if (cached && Math.abs(now - cached.readAt) < this.maxAge) return cached.value;
    const reading = read(cached?.value);
    const entry = { readAt: now, value: reading as Value | Promise<Value> };
    reading.then((value) => {
      entry.value = value;
    });
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    dropOldest(this.#entries, this.maxKeys);
    return reading;
  }

  /** Returns the value of a key, however old; null for none, and while it is read. */
  peek(key: string): Value | null {
    const value = this.#entries.get(key)?.value;
    return value === undefined || value instanceof Promise ? null : value;
  }

  /** Lets a value be read when it is next asked for. */
  expire(key: string): void {
    const entry = this.#entries.get(key);
    if (entry) entry.readAt = 0;
  }
}

/** Deletes the keys that were set first, so that `max` are left. */
export function dropOldest(map: Map<string, unknown>, max: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= max) break;
    map.delete(oldest);
  }
}
