import { AppError } from '../domain/errors.ts';
import { isSameText } from '../lib/is-same-text.ts';
import { isLoopback, type Peers } from './client-address.ts';

/** Headers added by proxies: such a request may come from anywhere, even over a local connection. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

const LOCAL_HOSTS = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/;

type Access = Readonly<{ metricsToken: string | null; config: Readonly<{ baseUrl: string | null }> }>;

/**
 * Throws `AppError` unless the request carries the token or, if neither a token nor `BASE_URL` is configured, comes
 * directly from this machine. Headers that claim an address are ignored.
 */
export function requireMetricsAccess(
  request: Request,
  server: Peers | null,
  { metricsToken: token, config: { baseUrl } }: Access,
): void {
  const { headers } = request;
  if (token !== null) {
    const [, sent] = /^bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
    if (sent !== undefined && isSameText(sent, token)) return;
    throw new AppError('invalid_key', 'Send the METRICS_TOKEN as Authorization: Bearer.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
  if (baseUrl !== null) {
    throw new AppError(
      'not_from_here',
      'With BASE_URL, /metrics requires a token. Set METRICS_TOKEN and send it as Authorization: Bearer.',
    );
  }
  const peer = server?.requestIP(request)?.address;
  const isLocal = peer !== undefined && isLoopback(peer) && LOCAL_HOSTS.test(headers.get('host') ?? '');
  if (isLocal && !PROXY_HEADERS.some((name) => headers.has(name))) return;
  throw new AppError(
    'not_from_here',
    'Without METRICS_TOKEN, /metrics answers only this machine, not through a proxy. ' +
      'Set METRICS_TOKEN and send it as Authorization: Bearer.',
  );
}
