import { once } from 'node:events';
import { connect } from 'node:net';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type Proxies, proxyFor } from '../../lib/proxies.ts';
import { PrivateHostError, type SsrfGuard } from '../../lib/ssrf-guard.ts';

/** A siteverify request; `hostnames` are the sites where the challenge may be solved, empty for all. */
export type SiteverifyRequest = Readonly<{ url: string; secret: string; token: string; hostnames: readonly string[] }>;

const TIMEOUT_MS = 5_000;
const MAX_RESPONSE_BYTES = 64 * 1024;

/** The common response of reCAPTCHA, hCaptcha, Turnstile and Cap. */
const SiteverifyResponse = Type.Object({
  success: Type.Boolean(),
  hostname: Type.Optional(Type.String()),
  'error-codes': Type.Optional(Type.Array(Type.String())),
  /** Error text of Cap, which sends no codes. */
  error: Type.Optional(Type.Unknown()),
});

/** Error codes for a wrong configuration or a fault of the service, not for a wrong solution. */
const SERVICE_ERRORS: ReadonlySet<unknown> = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'sitekey-secret-mismatch',
  'not-using-dummy-secret',
  'invalid-keys',
  'bad-request',
  'internal-error',
  'Invalid site key or secret',
]);

/** Failure to get a verdict from the service, because of the service or the configuration; `code` holds no secret. */
export class ChallengeServiceError extends Error {
  constructor(
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(code, options);
    this.name = 'ChallengeServiceError';
  }
}

/** Concurrent requests to one host. The runtime's limit is 256 in all, which one hanging service must not exhaust. */
const MAX_REQUESTS_PER_HOST = 64;

/** Client for challenge services that speak the siteverify protocol. */
export class ChallengeServices {
  readonly #pending = new Map<string, number>();

  /**
   * `ssrfGuard` restricts the addresses, which form editors choose; behind an outbound proxy, the proxy must do that.
   * `timeoutMs` covers the whole request.
   */
  constructor(
    private readonly ssrfGuard: SsrfGuard,
    private readonly proxies: Proxies,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** Asks the service and returns whether the token is a valid solution. Throws `ChallengeServiceError`. */
  async verify(request: SiteverifyRequest): Promise<boolean> {
    const { host } = new URL(request.url);
    const pending = this.#pending.get(host) ?? 0;
    if (pending >= MAX_REQUESTS_PER_HOST) throw new ChallengeServiceError('too many requests are waiting');
    this.#pending.set(host, pending + 1);
    try {
      return await this.#siteverify(request);
    } finally {
      const remaining = (this.#pending.get(host) ?? 1) - 1;
      if (remaining > 0) this.#pending.set(host, remaining);
      else this.#pending.delete(host);
    }
  }

  async #siteverify({ url, secret, token, hostnames }: SiteverifyRequest): Promise<boolean> {
    const { status, text } = await this.#post(new URL(url), new URLSearchParams({ secret, response: token }));
    const response = parse(text);
    if (!Value.Check(SiteverifyResponse, response)) {
      throw new ChallengeServiceError(`HTTP ${status}, not a siteverify response`);
    }
    const { success, hostname, 'error-codes': codes = [], error } = response;
    const serviceError = [...codes, error].find((code): code is string => SERVICE_ERRORS.has(code));
    if (!success && serviceError) throw new ChallengeServiceError(serviceError);
    if (success && status !== 200) throw new ChallengeServiceError(`HTTP ${status} with a success`);
    return success && (hostname === undefined || hostnames.length === 0 || hostnames.includes(hostname));
  }

  async #post(url: URL, body: URLSearchParams) {
    try {
      const signal = AbortSignal.timeout(this.timeoutMs);
      const request: RequestInit = { method: 'POST', body, redirect: 'manual', signal };
      const proxy = proxyFor(this.proxies, url);
      const response = await (proxy === null
        ? fetchAt(await this.#reachable(await this.ssrfGuard.resolve(url), url, signal), url, request)
        : fetch(url, { ...request, proxy }));
      if (isUnusable(response)) throw new ChallengeServiceError(`HTTP ${response.status}`);
      const chunks: Uint8Array[] = [];
      let total = 0;
      for await (const chunk of response.body ?? []) {
        total += chunk.length;
        if (total > MAX_RESPONSE_BYTES) throw new ChallengeServiceError('response too large');
        chunks.push(chunk);
      }
      return { status: response.status, text: Buffer.concat(chunks).toString() };
    } catch (cause) {
      if (cause instanceof ChallengeServiceError) throw cause;
      if (cause instanceof PrivateHostError) {
        throw new ChallengeServiceError(`${cause.message}; to allow it, add it to ALLOWED_PRIVATE_HOSTS`);
      }
      const isTimeout = cause instanceof Error && cause.name === 'TimeoutError';
      throw new ChallengeServiceError(isTimeout ? 'no response in time' : 'connection failed', { cause });
    }
  }

  /** Returns the first address that accepts a connection in its share of the timeout; the last one is not tried. */
  async #reachable(addresses: readonly string[], url: URL, signal: AbortSignal): Promise<string> {
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    for (const address of addresses.slice(0, -1)) {
      const share = AbortSignal.timeout(this.timeoutMs / addresses.length);
      if (await acceptsConnections(address, port, AbortSignal.any([signal, share]))) return address;
    }
    return addresses.at(-1) ?? '';
  }
}

/** Connects without sending anything: a token is spent once sent and can't be sent to another address. */
async function acceptsConnections(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal });
    return true;
  } catch {
    return false;
  } finally {
    socket.on('error', () => {}).destroy();
  }
}

/** Fetches from an IP address with the Host header and certificate name of the URL. */
function fetchAt(address: string, url: URL, request: RequestInit): Promise<Response> {
  const at = new URL(url);
  at.hostname = address.includes(':') ? `[${address}]` : address;
  // No keep-alive: the connection would be reused for another host at the same address.
  const tls = at.host === url.host ? {} : { serverName: url.hostname };
  return fetch(at, { ...request, headers: { Host: url.host }, tls, keepalive: false, proxy: false });
}

/** Returns whether a response is a redirect, which would leak the secret, a rate limit or a server error. */
function isUnusable({ status }: Response): boolean {
  return (status >= 300 && status < 400) || status === 429 || status >= 500;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
