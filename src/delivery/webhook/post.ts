import { MAX_RETRY_AFTER } from '../../domain/webhooks/webhook.ts';
import { type Clock, type Micros, SECOND } from '../../lib/clock.ts';
import { type GuardedNetwork, guardedFetch, readStart } from '../../lib/guarded-fetch.ts';
import { toSingleLine } from '../../lib/one-line.ts';
import { RefusedHostError } from '../../lib/ssrf-guard.ts';
import type { Reading, Send, TargetAnswer } from '../targets/target.ts';

/** The outcome of a request. `reason` is null after a success; `answer` is the beginning of the answer's body. */
export type Attempt = Readonly<{
  status: number | null;
  reason: string | null;
  answer: string;
  durationMs: number;
  isTimeout: boolean;
  /** The endpoint takes no more deliveries: it answered 410 or the vendor's equivalent. */
  isGone: boolean;
  /** The earliest next attempt, and with `limitsRate` that of all deliveries. */
  retryAt: Micros | null;
  limitsRate: boolean;
  /** Settings that the vendor has replaced. */
  settings?: object | undefined;
}>;

/** Sends requests to endpoints that users choose. `timeoutMs` covers a whole attempt. */
export type Poster = Readonly<{
  network: GuardedNetwork;
  clock: Clock;
  timeoutMs?: number;
  /** Replaces the network, for services with fixed addresses. */
  fetch?: typeof guardedFetch;
}>;

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 16 * 1024;

/**
 * Runs an exchange of one or more requests. Only a last status of 2xx is a success; the rest of the answer does not matter.
 * `interpret` reads other answers of a vendor. Never throws.
 */
export async function attempt(
  { network, clock, timeoutMs = TIMEOUT_MS, fetch = guardedFetch }: Poster,
  run: (exchange: Send) => Promise<TargetAnswer>,
  { signal, maxBytes = MAX_ANSWER_BYTES, interpret = () => ({}) }: AttemptOptions = {},
): Promise<Attempt> {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  const exchange: Send = async ({ url, ...request }) => {
    const headers = { 'User-Agent': 'Formstead', ...request.headers };
    const sent = { ...request, headers, ...(signal && { signal }) };
    const response = await fetch(network, new URL(url), sent, Math.max(1, timeoutMs - elapsed()));
    const body = (await readStart(response, maxBytes)).toString();
    return { status: response.status, headers: response.headers, body };
  };
  try {
    const answer = await run(exchange);
    return { ...readAnswer(answer, interpret, clock()), durationMs: Math.round(elapsed()), isTimeout: false };
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    const failed = { status: null, answer: '', isGone: false, retryAt: null, limitsRate: false };
    return { ...failed, reason: failureReason(error, timeoutMs), durationMs: Math.round(elapsed()), isTimeout };
  }
}

type Interpret = (answer: TargetAnswer) => Reading;
type AttemptOptions = Readonly<{ signal?: AbortSignal; maxBytes?: number; interpret?: Interpret }>;

function readAnswer({ status, headers, body }: TargetAnswer, interpret: Interpret, now: Micros) {
  if (status >= 200 && status < 300) {
    return { status, reason: null, answer: body, isGone: false, retryAt: null, limitsRate: false };
  }
  const { reason, retryAfterSeconds, isFinal = false, settings } = interpret({ status, headers, body });
  const retryAfter = retryAfterSeconds === undefined ? headers.get('retry-after') : String(retryAfterSeconds);
  return {
    status,
    reason: reason ?? statusReason(status, headers.get('location')),
    answer: body,
    isGone: status === 410 || isFinal,
    retryAt: retryTime(retryAfter, now),
    limitsRate: status === 429,
    settings,
  };
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
  if (error instanceof RefusedHostError) return `The host ${error.message}. To allow it, add it to ${error.setting}.`;
  if (!(error instanceof Error)) return 'The connection failed.';
  if (error.name === 'TimeoutError') {
    return `The endpoint did not answer within ${timeoutMs / 1000} second${timeoutMs === 1000 ? '' : 's'}.`;
  }
  const text = `${'code' in error ? error.code : ''} ${error.message}`;
  const [, reason] = NETWORK_REASONS.find(([pattern]) => pattern.test(text)) ?? [];
  return reason ?? `The connection failed: ${toSingleLine(text.trim(), 200)}`;
}

/** Returns the time of a Retry-After header (RFC 9110, section 10.2.3), at most a day ahead; null without one. */
function retryTime(header: string | null, now: Micros): Micros | null {
  if (header === null) return null;
  const text = header.trim();
  const at = /^\d{1,10}$/.test(text) ? now + Number(text) * SECOND : Date.parse(text) * 1000;
  return Number.isNaN(at) || at <= now ? null : Math.min(at, now + MAX_RETRY_AFTER);
}
