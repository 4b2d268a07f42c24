import type { Micros } from './clock.ts';
import { clientNetworks, SITE_FACTOR } from './networks.ts';
import { type Allowance, SlidingWindow } from './sliding-window.ts';

/**
 * A sliding-log rate limit by client address. An IPv6 /64 counts as one client, and all clients of a /48 together have
 * eight times the limit.
 */
export class ClientRateLimit {
  readonly #clients: SlidingWindow;
  readonly #sites: SlidingWindow;

  constructor(
    readonly limit: number,
    span?: Micros,
  ) {
    this.#clients = new SlidingWindow(limit, span);
    this.#sites = new SlidingWindow(limit * SITE_FACTOR, span);
  }

  /** Counts one use if both limits allow it. */
  take(address: string, now: Micros): Allowance {
    const [client, site] = clientNetworks(address);
    if (site === undefined) return this.#clients.take(client, now);
    const allowance = this.peek(address, now);
    if (!allowance.allowed) return allowance;
    this.#sites.take(site, now);
    return this.#clients.take(client, now);
  }

  /** Removes the latest use. */
  refund(address: string): void {
    const [client, site] = clientNetworks(address);
    this.#clients.refund(client);
    if (site !== undefined) this.#sites.refund(site);
  }

  /** Returns the allowance without counting a use. */
  peek(address: string, now: Micros): Allowance {
    const [client, site] = clientNetworks(address);
    const allowance = this.#clients.peek(client, now);
    if (site === undefined || !allowance.allowed) return allowance;
    const ofSite = this.#sites.peek(site, now);
    return ofSite.allowed ? allowance : ofSite;
  }
}
