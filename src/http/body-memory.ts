import { AppError } from '../domain/errors.ts';
import { clientNetworks } from '../lib/networks.ts';
import type { Reserve } from '../lib/read-body.ts';

const RETRY_SECONDS = 5;

/** Shares of the memory for one client, and for all clients of an IPv6 /48 together. */
const SHARES = [1 / 4, 1 / 2];

/**
 * Memory for request bodies in flight, shared by all requests of the process. One client may take a quarter of it, and
 * an IPv6 /48 half of it, so that unfinished posts of one network do not shut out the others.
 */
export class BodyMemory {
  readonly #byNetwork = new Map<string, number>();
  #used = 0;

  constructor(private readonly limit: number) {}

  /** Bytes held at the moment. */
  get used(): number {
    return this.#used;
  }

  /** Runs `task` with a function that reserves memory until the task ends. `address` is the client's, or another name. */
  async lend<T>(address: string, task: (reserve: Reserve) => Promise<T>): Promise<T> {
    const networks = clientNetworks(address);
    let own = 0;
    try {
      return await task((bytes) => {
        this.#require(networks, own, bytes);
        own += bytes;
        this.#add(networks, bytes);
      });
    } finally {
      this.#add(networks, -own);
    }
  }

  /** Throws `server_busy` over a limit. A body that is the only one of the process or its network is always accepted. */
  #require(networks: readonly string[], own: number, bytes: number): void {
    const isOver = (used: number, limit: number) => used > own && used + bytes > limit;
    const isOverShare = (share: number, index: number) =>
      isOver(this.#byNetwork.get(networks[index] ?? '') ?? 0, this.limit * share);
    if (!isOver(this.#used, this.limit) && !SHARES.slice(0, networks.length).some(isOverShare)) return;
    throw new AppError(
      'server_busy',
      'The server is receiving too many requests at once. Try again in a few seconds.',
      { headers: { 'Retry-After': String(RETRY_SECONDS) } },
    );
  }

  #add(networks: readonly string[], bytes: number): void {
    this.#used += bytes;
    for (const network of networks) {
      const total = (this.#byNetwork.get(network) ?? 0) + bytes;
      if (total === 0) this.#byNetwork.delete(network);
      else this.#byNetwork.set(network, total);
    }
  }
}
