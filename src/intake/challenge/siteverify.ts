import { once } from 'node:events';
import { connect } from 'node:net';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type Proxies, proxyFor } from '../../lib/proxies.ts';
import { PrivateHostError, type SsrfGuard } from '../../lib/ssrf-guard';

/** What is asked of a challenge service; `hostnames` are those the solution may come from, none for all. */
export type Question = Readonly<{ url: string; secret: string; token: string; hostnames: readonly string[] }>;

const DEADLINE_MS = 5_000;
const MAX_BYTES = 64 * 1024;

/** What the services answer alike: reCAPTCHA, hCaptcha, Turnstile and Cap. */
const Answer = Type.Object({
  success: Type.Boolean(),
  hostname: Type.Optional(Type.String()),
  'error-codes': Type.Optional(Type.Array(Type.String())),
  /** What Cap says in place of codes. */
  error: Type.Optional(Type.Unknown()),
});

/** Codes that blame the owner's set-up, not the visitor's solution. */
const OUR_FAULT: ReadonlySet<unknown> = new Set([
  'missing-input-secret',
  'invalid-input-secret',
  'sitekey-secret-mismatch',
  'not-using-dummy-secret',
  'invalid-keys',
  'bad-request',
  'internal-error',
  'Invalid site key or secret',
]);

/** The service gave no answer that can be trusted, or blames the set-up; `code` says why and holds no secret. */
export class ChallengeServiceError extends Error {
  constructor(
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(code, options);
    this.name = 'ChallengeServiceError';
  }
}

/** The runtime asks 256 things at once and no more: a service that hangs must not take them all. */
const MAX_AT_ONCE = 64;

/** Asks challenge services, of each only so much at once that one which hangs leaves the others alone. */
export class ChallengeServices {
  readonly #asked = new Map<string, number>();

  /**
   * `destinations` tells which of them may be asked: whoever edits a form chooses the address. Where a proxy is asked for it, that
   * is the proxy's to tell. A service has `deadlineMs` for its whole answer.
   */
  constructor(
    private readonly destinations: SsrfGuard,
    private readonly proxies: Proxies,
    private readonly deadlineMs = DEADLINE_MS,
  ) {}

  /** Whether a challenge was solved, by the service that set it. Throws `ChallengeServiceError`. */
  async verify(question: Question): Promise<boolean> {
    const { host } = new URL(question.url);
    const asked = this.#asked.get(host) ?? 0;
    if (asked >= MAX_AT_ONCE) throw new ChallengeServiceError('too many wait for its answer');
    this.#asked.set(host, asked + 1);
    try {
      return await this.#siteverify(question);
    } finally {
      const left = (this.#asked.get(host) ?? 1) - 1;
      if (left > 0) this.#asked.set(host, left);
      else this.#asked.delete(host);
    }
  }

  async #siteverify({ url, secret, token, hostnames }: Question): Promise<boolean> {
    const { status, text } = await this.#ask(new URL(url), new URLSearchParams({ secret, response: token }));
    const answer = parse(text);
    if (!Value.Check(Answer, answer)) throw new ChallengeServiceError(`HTTP ${status}, not a siteverify answer`);
    const { success, hostname, 'error-codes': codes = [], error } = answer;
    const blame = [...codes, error].find((code): code is string => OUR_FAULT.has(code));
    if (!success && blame) throw new ChallengeServiceError(blame);
    if (success && status !== 200) throw new ChallengeServiceError(`HTTP ${status} with a success`);
    return success && (hostname === undefined || hostnames.length === 0 || hostnames.includes(hostname));
  }

  async #ask(url: URL, body: URLSearchParams) {
    try {
      const signal = AbortSignal.timeout(this.deadlineMs);
      const request: RequestInit = { method: 'POST', body, redirect: 'manual', signal };
      const proxy = proxyFor(this.proxies, url);
      const response = await (proxy === null
        ? askAt(await this.#reachable(await this.destinations.resolve(url), url, signal), url, request)
        : fetch(url, { ...request, proxy }));
      if (gaveNoAnswer(response)) throw new ChallengeServiceError(`HTTP ${response.status}`);
      const chunks: Uint8Array[] = [];
      let total = 0;
      for await (const chunk of response.body ?? []) {
        total += chunk.length;
        if (total > MAX_BYTES) throw new ChallengeServiceError('answer too long');
        chunks.push(chunk);
      }
      return { status: response.status, text: Buffer.concat(chunks).toString() };
    } catch (cause) {
      if (cause instanceof ChallengeServiceError) throw cause;
      if (cause instanceof PrivateHostError) {
        throw new ChallengeServiceError(`${cause.message}; to allow that, name it in ALLOWED_PRIVATE_HOSTS`);
      }
      const isLate = cause instanceof Error && cause.name === 'TimeoutError';
      throw new ChallengeServiceError(isLate ? 'no answer in time' : 'cannot be reached', { cause });
    }
  }

  /** The first address that takes a connection in its share of the time; the last is taken unseen. */
  async #reachable(addresses: readonly string[], url: URL, signal: AbortSignal): Promise<string> {
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    for (const address of addresses.slice(0, -1)) {
      const share = AbortSignal.timeout(this.deadlineMs / addresses.length);
      if (await takesConnections(address, port, AbortSignal.any([signal, share]))) return address;
    }
    return addresses.at(-1) ?? '';
  }
}

/** Asked without a word: a token that was sent is spent, and cannot be sent elsewhere. */
async function takesConnections(host: string, port: number, signal: AbortSignal): Promise<boolean> {
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

/** Asks at an address, under the name and with the certificate of the host. */
function askAt(address: string, url: URL, request: RequestInit): Promise<Response> {
  const at = new URL(url);
  at.hostname = address.includes(':') ? `[${address}]` : address;
  // A connection that is kept would be taken for another name at the same address.
  const tls = at.host === url.host ? {} : { serverName: url.hostname };
  return fetch(at, { ...request, headers: { Host: url.host }, tls, keepalive: false, proxy: false });
}

/** A redirect, which would take the secret elsewhere; too many questions; a service that is down. */
function gaveNoAnswer({ status }: Response): boolean {
  return (status >= 300 && status < 400) || status === 429 || status >= 500;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
