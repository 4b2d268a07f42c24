import { MINUTE, type Micros, SECOND } from './clock.ts';

/** The state of a rate limit: uses remaining now, and seconds until the oldest use leaves the window. */
export type Allowance = Readonly<{ allowed: boolean; remaining: number; resetSeconds: number }>;

type Uses = { times: Micros[]; first: number };

/**
 * A sliding-log rate limit: at most `limit` uses per name in any `span`, exactly, because each use's time is stored.
 * Allows full bursts and does not count refused uses. `now` must come from a monotonic clock.
 */
export class SlidingWindow {
  readonly #names = new Map<string, Uses>();
  #sweepAt: Micros = 0;

  constructor(
    readonly limit: number,
    readonly span: Micros = MINUTE,
  ) {}

  /** Counts one use if the limit allows it. */
  take(name: string, now: Micros): Allowance {
    this.#dropIdle(now);
    const uses = this.#names.get(name) ?? { times: [], first: 0 };
    const allowance = this.#allowance(uses, now);
    if (!allowance.allowed) return allowance;
    this.#names.set(name, uses);
    uses.times.push(now);
    return { ...this.#allowance(uses, now), allowed: true };
  }

  /** Removes the latest use. */
  refund(name: string): void {
    const uses = this.#names.get(name);
    if (uses && uses.times.length > uses.first) uses.times.pop();
  }

  /** Returns the allowance without counting a use. */
  peek(name: string, now: Micros): Allowance {
    return this.#allowance(this.#names.get(name) ?? { times: [], first: 0 }, now);
  }

  #allowance(uses: Uses, now: Micros): Allowance {
    dropExpired(uses, now - this.span);
    const remaining = this.limit - (uses.times.length - uses.first);
    const oldest = uses.times[uses.first] ?? now;
    return { allowed: remaining > 0, remaining, resetSeconds: Math.ceil((oldest + this.span - now) / SECOND) };
  }

  /** Drops names without uses in the last span, once per span, so that memory is bounded by the names of two spans. */
  #dropIdle(now: Micros): void {
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + this.span;
    for (const [name, { times }] of this.#names) {
      if ((times.at(-1) ?? 0) <= now - this.span) this.#names.delete(name);
    }
  }
}

function dropExpired(uses: Uses, cutoff: Micros): void {
  while (uses.first < uses.times.length && (uses.times[uses.first] ?? 0) <= cutoff) uses.first++;
  if (uses.first > 64 && uses.first * 2 > uses.times.length) {
    uses.times.splice(0, uses.first);
    uses.first = 0;
  }
}
