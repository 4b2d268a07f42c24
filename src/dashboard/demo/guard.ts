import type { Context, Demo } from '../../context/context.ts';
import { AppError } from '../../domain/errors.ts';
import { getPath } from '../../http/allowed-methods.ts';
import type { Peers } from '../../http/client-address.ts';
import { tooFrequent } from '../../http/failure.ts';
import { redirectTo } from '../../http/redirect-to.ts';
import { getSessionSecret } from '../../http/session-cookie.ts';
import { ClientRateLimit } from '../../lib/client-rate-limit.ts';
import { DEMO_PATH, HOOK_PATH } from './paths.ts';

const READING = ['GET', 'HEAD', 'OPTIONS'];

/** Requests that one client may send to a public demo in a minute. */
const MAX_REQUESTS = 300;

/**
 * Returns a function that answers the webhooks of a demo. In a public one it also gives visitors the session, and throws
 * `demo_read_only` for requests that could change something, and `rate_limited`.
 */
export function demoGuard({ config, clientAddress, monotonic }: Context, { token }: Demo) {
  const requests = new ClientRateLimit(MAX_REQUESTS);
  return (request: Request, server: Peers | null): Response | undefined => {
    const path = getPath(request.url);
    if (path === HOOK_PATH) return new Response(null, { status: 204 });
    if (token !== null) return undefined;
    const { allowed, resetSeconds } = requests.take(clientAddress.ofRequest(request, server) ?? '', monotonic());
    if (!allowed) throw tooFrequent('requests', resetSeconds);
    if (!READING.includes(request.method)) {
      throw new AppError(
        'demo_read_only',
        'Nothing can be changed in this demo. Start your own with "formstead demo".',
      );
    }
    const isPage = path === '/' || (/^\/dashboard(?:\/|$)/.test(path) && path !== DEMO_PATH && !path.includes('.'));
    if (isPage && getSessionSecret(request, config.baseUrl) === null) return redirectTo(DEMO_PATH);
    return undefined;
  };
}
