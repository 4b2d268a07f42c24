import type { Logger } from '../lib/log.ts';
import type { ClientAddress, Peers } from './client-address.ts';

/** Refusals that repeat when somebody guesses or floods. */
const REASONS = ['sign_in_failed', 'invalid_key', 'rate_limited'] as const;

/**
 * Logs the full addresses of refused clients if `LOG_ADDRESSES` is full. The line is an interface: the manual's filter
 * for fail2ban matches it.
 */
export class RefusedClients {
  constructor(
    private readonly clientAddress: ClientAddress,
    private readonly logAddresses: 'short' | 'full',
    private readonly log: Logger,
  ) {}

  /** Logs the client of a request that was refused for one of `REASONS`; other reasons are ignored. */
  note(request: Request, server: Peers | null, reason: string): void {
    if (this.logAddresses !== 'full' || !REASONS.some((candidate) => candidate === reason)) return;
    const address = this.clientAddress.ofRequest(request, server);
    if (address !== null) this.log.warn('client refused', { address, reason });
  }
}
