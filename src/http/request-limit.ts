import { ClientRateLimit } from '../lib/client-rate-limit.ts';
import type { Clock } from '../lib/clock.ts';
import type { ClientAddress, Peers } from './client-address.ts';
import { tooFrequent } from './failure.ts';

/**
 * Creates a limit of requests that a client may make in a minute. Each call counts one and returns the client's address,
 * null if unknown. Throws `rate_limited`, which says that there are too many `what`.
 */
export function requestLimit(
  { monotonic, clientAddress }: Readonly<{ monotonic: Clock; clientAddress: ClientAddress }>,
  perMinute: number,
  what: string,
) {
  const window = new ClientRateLimit(perMinute);
  return (request: Request, server: Peers | null): string | null => {
    const address = clientAddress.ofRequest(request, server);
    const { allowed, resetSeconds } = window.take(address ?? '', monotonic());
    if (!allowed) throw tooFrequent(what, resetSeconds);
    return address;
  };
}
