import { MINUTE, type Micros, SECOND } from './clock.ts';
import { clientNetworks, SITE_FACTOR } from './networks.ts';

/** Bytes per span of time. */
type ByteLimit = Readonly<{ bytes: number; span: Micros }>;

type Bucket = Readonly<{ name: string; span: Micros; drain: Micros }>;

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
    const buckets = this.#bucketsOf(address, bytes);
    let seconds = 0;
    for (const { name, span, drain } of buckets) {
      const level = (this.#emptyAt.get(name) ?? now) - now;
      if (level > 0) seconds = Math.max(seconds, Math.ceil((level + drain - span) / SECOND));
    }
    if (seconds === 0) this.#add(buckets, now);
    return seconds;
  }

  /** Takes back bytes that did not arrive. */
  refund(address: string, bytes: number, now: Micros): void {
    this.#add(this.#bucketsOf(address, -bytes), now);
  }

  /** Returns the buckets of an address, with the time in which `bytes` drain from each. */
  #bucketsOf(address: string, bytes: number): Bucket[] {
    const [client, site] = clientNetworks(address);
    const buckets: Bucket[] = [];
    for (const { bytes: limit, span } of this.#limits) {
      buckets.push({ name: `${span} ${client}`, span, drain: (bytes / limit) * span });
      if (site !== undefined)
        buckets.push({ name: `${span} ${site}`, span, drain: (bytes / (limit * SITE_FACTOR)) * span });
    }
    return buckets;
  }

  #add(buckets: readonly Bucket[], now: Micros): void {
    for (const { name, drain } of buckets) {
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
