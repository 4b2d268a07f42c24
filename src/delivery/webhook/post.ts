import { MAX_RETRY_AFTER } from '../../domain/webhook.ts';
import { type Clock, type Micros, SECOND } from '../../lib/clock.ts';
import { type GuardedNetwork, guardedFetch, readStart } from '../../lib/guarded-fetch.ts';
import { toSingleLine } from '../../lib/one-line.ts';
import { PrivateHostError } from '../../lib/ssrf-guard.ts';

/** A request to an endpoint. */
export type HttpRequest = Readonly<{ url: string; headers: Readonly<Record<string, string>>; body: string }>;

/** The outcome of a request. `reason` is null after a success; `answer` is the beginning of the answer's body. */
export type Attempt = Readonly<{
  status: number | null;
  reason: string | null;
  answer: string;
  durationMs: number;
  isTimeout: boolean;
  /** No later attempt can succeed. */
  isFinal: boolean;
  /** The endpoint asks for no more deliveries (410). */
  isGone: boolean;
  /** The earliest next attempt, and with `limitsRate` that of all deliveries. */
  retryAt: Micros | null;
  limitsRate: boolean;
}>;

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 16 * 1024;

/** Sends requests to endpoints that users choose. `timeoutMs` covers a whole request. */
export type Poster = Readonly<{ network: GuardedNetwork; clock: Clock; timeoutMs?: number }>;

/** Posts to an endpoint. Only a status of 2xx is a success; the rest of the answer does not matter. Never throws. */
export async function post(
  { network, clock, timeoutMs = TIMEOUT_MS }: Poster,
  { url, headers, body }: HttpRequest,
  signal?: AbortSignal,
): Promise<Attempt> {
  const startedAt = performance.now();
  const failed = { isFinal: false, isGone: false, retryAt: null, limitsRate: false };
  try {
    const request = { body, headers: { 'User-Agent': 'Formstead', ...headers }, ...(signal && { signal }) };
    const response = await guardedFetch(network, new URL(url), request, timeoutMs);
    const answer = (await readStart(response, MAX_ANSWER_BYTES)).toString();
    const { status } = response;
    return {
      status,
      reason: response.ok ? null : statusReason(status, response.headers.get('location')),
      answer,
      durationMs: Math.round(performance.now() - startedAt),
      isTimeout: false,
      isFinal: false,
      isGone: status === 410,
      retryAt: response.ok ? null : retryTime(response.headers.get('retry-after'), clock()),
      limitsRate: status === 429,
    };
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    const durationMs = Math.round(performance.now() - startedAt);
    return { ...failed, status: null, reason: failureReason(error, timeoutMs), answer: '', durationMs, isTimeout };
  }
}

function statusReason(status: number, location: string | null): string {
  if (status >= 300 && status < 400) {
    const target = location === null ? '' : ` to ${toSingleLine(location, 200)}`;
    return `The endpoint redirects${target} (status ${status}). Redirects are not followed; set the final URL.`;
  }
  if (status === 410) return 'The endpoint is gone (status 410).';
  if (status === 401 || status === 403) return `The endpoint refused access (status ${status}). Check its credentials.`;
  if (status === 404) return 'The endpoint does not exist (status 404). Check the URL.';
  if (status === 429) return 'The endpoint limits the rate of requests (status 429).';
  return status >= 500
    ? `The endpoint failed (status ${status}). Check its log.`
    : `The endpoint refused the delivery (status ${status}).`;
}

/** Reasons by the code or text of a network error; the first match counts. */
const NETWORK_REASONS: ReadonlyArray<readonly [RegExp, string]> = [
  [/ENOTFOUND|EAI_|EDNS|ENODATA|no address|dns/i, 'The host name is unknown. Check the URL and the DNS server.'],
  [/certificate|self.signed|altname|unable to verify|CERT_/i, 'The certificate of the endpoint is not trusted.'],
  [/wrong.version|SSL|TLS/i, 'The endpoint does not speak TLS on this port. Check the URL.'],
  [
    /ECONNREFUSED|ConnectionRefused|unable to connect/i,
    'The endpoint refused the connection. Check that it is running.',
  ],
  [/EHOSTUNREACH|ENETUNREACH/, 'The endpoint is unreachable. Check the network.'],
  [/ECONNRESET|closed|ConnectionClosed/i, 'The endpoint closed the connection without an answer.'],
];

function failureReason(error: unknown, timeoutMs: number): string {
  if (error instanceof PrivateHostError) {
    return `The host ${error.message}. To allow it, add it to ALLOWED_PRIVATE_HOSTS.`;
  }
  if (!(error instanceof Error)) return 'The connection failed.';
  if (error.name === 'TimeoutError') return `The endpoint did not answer within ${timeoutMs / 1000} seconds.`;
  const text = `${'code' in error ? error.code : ''} ${error.message}`;
  const [, reason] = NETWORK_REASONS.find(([pattern]) => pattern.test(text)) ?? [];
  return reason ?? `The connection failed: ${toSingleLine(text.trim(), 200)}`;
}

/** Returns the time of a Retry-After header (RFC 9110, section 10.2.3), at most a day ahead; null without one. */
export function retryTime(header: string | null, now: Micros): Micros | null {
  if (header === null) return null;
  const text = header.trim();
  const at = /^\d{1,10}$/.test(text) ? now + Number(text) * SECOND : Date.parse(text) * 1000;
  return Number.isNaN(at) || at <= now ? null : Math.min(at, now + MAX_RETRY_AFTER);
}
