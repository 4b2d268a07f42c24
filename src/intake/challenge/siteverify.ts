import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { beforeEnd } from '../../lib/before-end.ts';
import { type Destinations, PrivateHostError } from '../../lib/destinations.ts';

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
  readonly #destinations: Destinations;

  /** `destinations` tells which of them may be asked: whoever edits a form chooses the address. */
  constructor(destinations: Destinations) {
    this.#destinations = destinations;
  }

  /** Whether a challenge was solved, by the service that set it. Throws `ChallengeServiceError`. */
  async verify(question: Question): Promise<boolean> {
    const { host } = new URL(question.url);
    const asked = this.#asked.get(host) ?? 0;
    if (asked >= MAX_AT_ONCE) throw new ChallengeServiceError('too many wait for its answer');
    this.#asked.set(host, asked + 1);
    try {
      return await siteverify(this.#destinations, question);
    } finally {
      const left = (this.#asked.get(host) ?? 1) - 1;
      if (left > 0) this.#asked.set(host, left);
      else this.#asked.delete(host);
    }
  }
}

/** Whether a challenge was solved, by the service that set it. Throws `ChallengeServiceError`. */
async function siteverify(destinations: Destinations, question: Question): Promise<boolean> {
  const { url, secret, token, hostnames } = question;
  const { status, text } = await ask(destinations, new URL(url), new URLSearchParams({ secret, response: token }));
  const answer = parse(text);
  if (!Value.Check(Answer, answer)) throw new ChallengeServiceError(`HTTP ${status}, not a siteverify answer`);
  const { success, hostname, 'error-codes': codes = [], error } = answer;
  const blame = [...codes, error].find((code): code is string => OUR_FAULT.has(code));
  if (!success && blame) throw new ChallengeServiceError(blame);
  if (success && status !== 200) throw new ChallengeServiceError(`HTTP ${status} with a success`);
  return success && (hostname === undefined || hostnames.length === 0 || hostnames.includes(hostname));
}

async function ask(destinations: Destinations, url: URL, body: URLSearchParams) {
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const addresses = await beforeEnd(signal, destinations.addressesOf(url));
    const response = await askFirst(addresses, url, { method: 'POST', body, redirect: 'manual', signal });
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

/** Nothing was sent where one of these came. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'FailedToOpenSocket']);

/** Asks the first address that can be connected to, under the name and with the certificate of the host. */
async function askFirst([address = '', ...others]: string[], url: URL, request: RequestInit): Promise<Response> {
  const at = new URL(url);
  at.hostname = address.includes(':') ? `[${address}]` : address;
  try {
    // A connection that is kept would be taken for another name at the same address.
    const tls = at.host === url.host ? {} : { serverName: url.hostname };
    return await fetch(at, { ...request, headers: { Host: url.host }, tls, keepalive: false });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (others.length === 0 || !NOT_CONNECTED.has(code)) throw error;
    return askFirst(others, url, request);
  }
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
