import type { Logger } from '../lib/log.ts';
import { ClientAddress, type Peers } from './client-address.ts';

type Settings = Readonly<{ trustedProxies: readonly string[]; logAddresses: 'short' | 'full' }>;

/** Refusals that repeat when somebody guesses or floods. */
const REASONS = ['sign_in_failed', 'invalid_key', 'rate_limited'] as const;

/**
 * Logs the full addresses of refused clients if `LOG_ADDRESSES` is full. The line is an interface: the manual's filter
 * for fail2ban matches it.
 */
export class RefusedClients {
  readonly #addresses: ClientAddress | null;

  constructor(
    { trustedProxies, logAddresses }: Settings,
    private readonly log: Logger,
  ) {
    this.#addresses = logAddresses === 'full' ? new ClientAddress(trustedProxies) : null;
  }

  /** Logs the client of a request that was refused for one of `REASONS`; other reasons are ignored. */
  note(request: Request, server: Peers | null, reason: string): void {
    const peer = server?.requestIP(request)?.address;
    if (!this.#addresses || peer === undefined || !REASONS.some((known) => known === reason)) return;
    const address = this.#addresses.of(peer, request.headers.get('x-forwarded-for'));
    this.log.warn('client refused', { address, reason });
  }
}
