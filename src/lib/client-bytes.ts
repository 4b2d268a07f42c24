import { MINUTE, type Micros, SECOND } from './clock.ts';
import { clientNetworks, SITE_FACTOR } from './networks.ts';

/** Bytes per span of time. */
type ByteLimit = Readonly<{ bytes: number; span: Micros }>;

/**
 * Byte rates by client address, each a leaky bucket that holds the bytes of one span. An IPv6 /64 counts as one client,
 * and all clients of a /48 together have eight times the rate. A body for an empty bucket is always accepted.
 */
export class ClientBytes {
  readonly #limits: readonly ByteLimit[];
  /** Times at which the buckets will be empty, by limit and network. */
  readonly #emptyAt = new Map<string, Micros>();
  #sweepAt: Micros = 0;

  /** A limit of 0 bytes means no limit. */
  constructor(limits: readonly ByteLimit[]) {
    this.#limits = limits.filter(({ bytes }) => bytes > 0);
  }

  /** Counts the bytes of a body before it is read. Returns 0 if the rates allow it, otherwise the seconds to wait. */
  take(address: string, bytes: number, now: Micros): number {
    this.#dropEmpty(now);
    const waits = this.#bucketsOf(address, bytes).map(({ name, span, drain }) => {
      const level = (this.#emptyAt.get(name) ?? now) - now;
      return level <= 0 ? 0 : Math.ceil((level + drain - span) / SECOND);
    });
    const seconds = Math.max(0, ...waits);
    if (seconds === 0) this.#add(address, bytes, now);
    return seconds;
  }

  /** Takes back bytes that did not arrive. */
  refund(address: string, bytes: number, now: Micros): void {
    this.#add(address, -bytes, now);
  }

  /** Returns the buckets of an address, with the time in which `bytes` drain from each. */
  #bucketsOf(address: string, bytes: number) {
    return clientNetworks(address).flatMap((network, index) =>
      this.#limits.map((limit) => ({
        name: `${limit.span} ${network}`,
        span: limit.span,
        drain: (bytes / (limit.bytes * (index === 0 ? 1 : SITE_FACTOR))) * limit.span,
      })),
    );
  }

  #add(address: string, bytes: number, now: Micros): void {
    for (const { name, drain } of this.#bucketsOf(address, bytes)) {
      this.#emptyAt.set(name, Math.max(now, this.#emptyAt.get(name) ?? now) + drain);
    }
  }

  /** Drops empty buckets once a minute, so that memory is bounded by the clients of one span. */
  #dropEmpty(now: Micros): void {
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + MINUTE;
    for (const [name, emptyAt] of this.#emptyAt) if (emptyAt <= now) this.#emptyAt.delete(name);
  }
}
