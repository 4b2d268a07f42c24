import { MINUTE, type Micros, SECOND } from './clock.ts';
import { clientNetworks, SITE_FACTOR } from './networks.ts';

/** Bytes at a time; they decrease at the rate. */
type Level = Readonly<{ bytes: number; at: Micros }>;

/**
 * A byte rate by client address, as a leaky bucket that holds one minute's bytes. An IPv6 /64 counts as one client, and
 * all clients of a /48 together have eight times the rate. A body for an empty bucket is always accepted.
 */
export class ClientBytes {
  readonly #levels = new Map<string, Level>();
  #sweepAt: Micros = 0;

  /** `perMinute` is the rate; 0 means no limit. */
  constructor(private readonly perMinute: number) {}

  /** Counts the bytes of a body before it is read. Returns 0 if the rate allows it, otherwise the seconds to wait. */
  take(address: string, bytes: number, now: Micros): number {
    if (this.perMinute === 0) return 0;
    this.#dropEmpty(now);
    const buckets = this.#bucketsOf(address);
    const waits = buckets.map(({ name, rate }) => {
      const level = this.#levelOf(name, rate, now);
      return level === 0 ? 0 : Math.ceil(((level + bytes - rate) / rate) * (MINUTE / SECOND));
    });
    const seconds = Math.max(0, ...waits);
    if (seconds === 0) this.#add(address, bytes, now);
    return seconds;
  }

  /** Takes back bytes that did not arrive. */
  refund(address: string, bytes: number, now: Micros): void {
    if (this.perMinute > 0) this.#add(address, -bytes, now);
  }

  #bucketsOf(address: string) {
    return clientNetworks(address).map((name, index) => ({
      name,
      rate: this.perMinute * (index === 0 ? 1 : SITE_FACTOR),
    }));
  }

  #add(address: string, bytes: number, now: Micros): void {
    for (const { name, rate } of this.#bucketsOf(address)) {
      this.#levels.set(name, { bytes: Math.max(0, this.#levelOf(name, rate, now) + bytes), at: now });
    }
  }

  #levelOf(name: string, rate: number, now: Micros): number {
    const { bytes, at } = this.#levels.get(name) ?? { bytes: 0, at: now };
    return Math.max(0, bytes - ((now - at) / MINUTE) * rate);
  }

  /** Drops old buckets once a minute, so that memory is bounded by the clients of a few minutes. */
  #dropEmpty(now: Micros): void {
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + MINUTE;
    for (const [name, { bytes, at }] of this.#levels) {
      if (bytes - ((now - at) / MINUTE) * this.perMinute <= 0) this.#levels.delete(name);
    }
  }
}
