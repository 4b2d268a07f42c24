import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '../domain/errors.ts';
import { isLoopback, type Peers } from './client-address.ts';

/** What a proxy adds: who sends one of them may be anyone, whoever holds the connection. */
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

const OWN_HOSTS = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/;

/**
 * Lets through who has the token, or where none is set, who asks on this machine without a proxy between. Throws
 * `AppError` for all others. What a request says of its own address is not believed.
 */
export function requireMetricsAccess(request: Request, server: Peers | null, token: string | null): void {
  const { headers } = request;
  if (token !== null) {
    const [, given] = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
    if (given !== undefined && timingSafeEqual(digest(given), digest(token))) return;
    throw new AppError('invalid_key', 'This takes Authorization: Bearer with the METRICS_TOKEN.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
  const peer = server?.requestIP(request)?.address;
  const isHere = peer !== undefined && isLoopback(peer) && OWN_HOSTS.test(headers.get('host') ?? '');
  if (isHere && !FORWARDING.some((name) => headers.has(name))) return;
  throw new AppError(
    'not_from_here',
    'Without a METRICS_TOKEN this is answered only on the machine itself, not through a proxy. Set one, and send it as Authorization: Bearer.',
  );
}

/** Of one length, whatever was sent. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
