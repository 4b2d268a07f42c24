import { AppError } from '../domain/errors.ts';
import { clientNetworks } from '../lib/networks.ts';
import type { Reserve } from '../lib/read-body.ts';

const RETRY_SECONDS = 5;

/**
 * Memory for request bodies in flight, shared by all requests of the process. One client may take a quarter of it, so
 * that unfinished posts of one client do not shut out the others.
 */
export class BodyMemory {
  readonly #byClient = new Map<string, number>();
  #used = 0;

  constructor(private readonly limit: number) {}

  /** Runs `task` with a function that reserves memory until the task ends. `address` is the client's, or another name. */
  async lend<T>(address: string, task: (reserve: Reserve) => Promise<T>): Promise<T> {
    const [client] = clientNetworks(address);
    let own = 0;
    try {
      return await task((bytes) => {
        this.#require(client, own, bytes);
        own += bytes;
        this.#add(client, bytes);
      });
    } finally {
      this.#add(client, -own);
    }
  }

  /** Throws `server_busy` over a limit. A body that is the only one of the process or its client is always accepted. */
  #require(client: string, own: number, bytes: number): void {
    const ofClient = this.#byClient.get(client) ?? 0;
    const isOver = (used: number, limit: number) => used > own && used + bytes > limit;
    if (!isOver(this.#used, this.limit) && !isOver(ofClient, this.limit / 4)) return;
    throw new AppError(
      'server_busy',
      'The server is receiving too many requests at once. Try again in a few seconds.',
      {
        headers: { 'Retry-After': String(RETRY_SECONDS) },
      },
    );
  }

  #add(client: string, bytes: number): void {
    this.#used += bytes;
    const ofClient = (this.#byClient.get(client) ?? 0) + bytes;
    if (ofClient === 0) this.#byClient.delete(client);
    else this.#byClient.set(client, ofClient);
  }
}
