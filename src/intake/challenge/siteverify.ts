import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type GuardedNetwork, guardedFetch } from '../../lib/guarded-fetch.ts';
import { jsonOrNull } from '../../lib/json.ts';
import { ShareExhaustedError } from '../../lib/outgoing-shares.ts';
import { RefusedHostError } from '../../lib/ssrf-guard.ts';

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

/** Client for challenge services that speak the siteverify protocol. */
export class ChallengeServices {
  /** `timeoutMs` covers the whole request. */
  constructor(
    private readonly network: GuardedNetwork,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** Asks the service for a team and returns whether the token is a valid solution. Throws `ChallengeServiceError`. */
  async verify(teamId: string, request: SiteverifyRequest): Promise<boolean> {
    try {
      return await this.network.shares.run('challenge', teamId, () => this.#siteverify(request));
    } catch (error) {
      throw error instanceof ShareExhaustedError ? new ChallengeServiceError(error.message) : error;
    }
  }

  async #siteverify({ url, secret, token, hostnames }: SiteverifyRequest): Promise<boolean> {
    const { status, text } = await this.#post(new URL(url), new URLSearchParams({ secret, response: token }));
    const response = jsonOrNull(text);
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
      const response = await guardedFetch(this.network, url, { body }, this.timeoutMs);
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
      if (cause instanceof RefusedHostError) {
        throw new ChallengeServiceError(`${cause.message}; to allow it, add it to ${cause.setting}`);
      }
      const isTimeout = cause instanceof Error && cause.name === 'TimeoutError';
      throw new ChallengeServiceError(isTimeout ? 'no response in time' : 'connection failed', { cause });
    }
  }
}

/** Returns whether a response is a redirect, which would leak the secret, a rate limit or a server error. */
function isUnusable({ status }: Response): boolean {
  return (status >= 300 && status < 400) || status === 429 || status >= 500;
}
