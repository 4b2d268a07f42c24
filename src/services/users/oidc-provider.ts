import type { Configuration, CustomFetch, IDToken, UserInfoResponse } from 'openid-client';
import type { Identity } from '../../domain/users/user.ts';
import { type Clock, HOUR, type Micros } from '../../lib/clock.ts';
import { type GuardedNetwork, guardedFetch, readStart } from '../../lib/guarded-fetch.ts';
import { isLocalHost } from '../../lib/local-host.ts';
import { toSingleLine } from '../../lib/one-line.ts';
import { SsrfGuard } from '../../lib/ssrf-guard.ts';
import { parseAccountEmail } from './accounts.ts';

/** The provider and our client there. Without a secret, PKCE alone protects the code. */
export type ProviderSettings = Readonly<{
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  scopes: string;
  allowedPrivateHosts: readonly string[];
}>;

/** The values that bind an answer of the provider to the browser that asked for it. */
export type SignInRequest = Readonly<{ issuer: string; state: string; nonce: string; verifier: string }>;

/** A person whom the provider has signed in. `email` is null unless the provider has verified it. */
export type ProvenPerson = Identity & Readonly<{ email: string | null; name: string | null; isMultiFactor: boolean }>;

/**
 * A sign-in that the provider did not complete: it is away, the person declined, or its answer is invalid. The message is
 * for the log and quotes no token.
 */
export class ProviderError extends Error {
  constructor(
    readonly reason: 'unavailable' | 'declined' | 'invalid',
    message: string,
  ) {
    super(toSingleLine(message, 200));
  }
}

const TIMEOUT_MS = 8_000;
const MAX_RESPONSE_BYTES = 256 * 1024;

/** Time after which the provider's metadata is read again. */
const METADATA_TTL: Micros = HOUR;

type Ready = Readonly<{ client: typeof import('openid-client'); configuration: Configuration }>;

/**
 * Signs people in at an OpenID Connect provider by the code flow with PKCE, state and nonce. The library and the metadata of
 * the provider are loaded at the first use. The operator trusts the host of the issuer, so it may be private; the hosts of
 * other endpoints are the provider's choice and must be public or in `ALLOWED_PRIVATE_HOSTS`.
 */
export class OidcProvider {
  #ready: Promise<Ready> | null = null;
  #readAt: Micros = 0;
  readonly #ssrfGuard: SsrfGuard;

  constructor(
    private readonly settings: ProviderSettings,
    private readonly network: Pick<GuardedNetwork, 'proxies' | 'shares'>,
    private readonly monotonic: Clock,
  ) {
    const host = new URL(settings.issuer).hostname.replace(/^\[|\]$/g, '');
    this.#ssrfGuard = new SsrfGuard({ allowedPrivateHosts: [host, ...settings.allowedPrivateHosts] });
  }

  /** Returns the provider's page for a sign-in, and the values to keep for `finish`. Throws `ProviderError`. */
  async begin(redirectUri: string): Promise<Readonly<{ url: string; request: SignInRequest }>> {
    const { client, configuration } = await this.#load();
    const request = {
      issuer: this.settings.issuer,
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const parameters = {
      redirect_uri: redirectUri,
      scope: this.settings.scopes,
      state: request.state,
      nonce: request.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(request.verifier),
      code_challenge_method: 'S256',
    };
    try {
      return { url: client.buildAuthorizationUrl(configuration, parameters).href, request };
    } catch {
      this.#ready = null;
      throw new ProviderError('unavailable', 'no authorization_endpoint');
    }
  }

  /**
   * Returns the person of an answer. `callback` is the redirect URI with the answer's query. Checks state, nonce, issuer,
   * audience, times and signature. Throws `ProviderError`.
   */
  async finish(callback: URL, { issuer, state, nonce, verifier }: SignInRequest): Promise<ProvenPerson> {
    if (issuer !== this.settings.issuer) throw new ProviderError('invalid', 'begun at another provider');
    const { client, configuration } = await this.#load();
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    try {
      const tokens = await client.authorizationCodeGrant(configuration, callback, checks);
      const claims = tokens.claims();
      if (!claims) throw new ProviderError('invalid', 'no ID token');
      const asksProfile = claims.email === undefined && configuration.serverMetadata().userinfo_endpoint;
      const profile = asksProfile ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims;
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: verifiedEmail(profile),
        name: toSingleLine(typeof profile.name === 'string' ? profile.name : '', 100) || null,
        isMultiFactor: provesTwoFactors(claims),
      };
    } catch (error) {
      throw toProviderError(client, error);
    }
  }

  /** Returns the provider's page that ends its session; null if it has none or is away. */
  async signOutUrl(): Promise<string | null> {
    const ready = await this.#load().catch(() => null);
    if (!ready?.configuration.serverMetadata().end_session_endpoint) return null;
    return ready.client.buildEndSessionUrl(ready.configuration).href;
  }

  /** Loads library and metadata once for concurrent callers; a failure is not kept. */
  #load(): Promise<Ready> {
    const now = this.monotonic();
    if (this.#ready && now - this.#readAt < METADATA_TTL) return this.#ready;
    const ready = this.#discover();
    this.#ready = ready;
    this.#readAt = now;
    ready.catch(() => {
      if (this.#ready === ready) this.#ready = null;
    });
    return ready;
  }

  async #discover(): Promise<Ready> {
    const client = await import('openid-client');
    const { clientId, clientSecret: secret } = this.settings;
    const issuer = new URL(this.settings.issuer);
    const execute = [client.enableNonRepudiationChecks];
    // `#fetch` still refuses plain http to other machines.
    if (issuer.protocol === 'http:') execute.push(client.allowInsecureRequests);
    const byPost = secret === null ? client.None() : client.ClientSecretPost(secret);
    const byHeader = secret === null ? client.None() : client.ClientSecretBasic(secret);
    const authenticate: typeof byPost = (server, ...request) => {
      // The default of the specification, and of providers that accept only one.
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      return (methods.includes('client_secret_basic') ? byHeader : byPost)(server, ...request);
    };
    const options = { execute, timeout: TIMEOUT_MS / 1000, [client.customFetch]: this.#fetch };
    try {
      return { client, configuration: await client.discovery(issuer, clientId, undefined, authenticate, options) };
    } catch (error) {
      const { message } = toProviderError(client, error);
      throw new ProviderError('unavailable', message);
    }
  }

  readonly #fetch: CustomFetch = async (address, { method, body, headers, signal }) => {
    const url = new URL(address);
    if (url.protocol !== 'https:' && !isLocalHost(url)) throw new ProviderError('invalid', 'an endpoint without https');
    const isGet = method === 'GET' && ({ method } as const);
    const content = body instanceof URLSearchParams ? body : '';
    const request = { ...isGet, body: content, headers, ...(signal && { signal }) };
    const guarded = { ssrfGuard: this.#ssrfGuard, proxies: this.network.proxies };
    try {
      return await this.network.shares.run('sign_in', '', async () => {
        const response = await guardedFetch(guarded, url, request, TIMEOUT_MS);
        if (response.status >= 500) throw new Error(`status ${response.status}`);
        const bytes = await readStart(response, MAX_RESPONSE_BYTES);
        return new Response(bytes, { status: response.status, headers: response.headers });
      });
    } catch (error) {
      throw new ProviderError('unavailable', `${url.host}: ${error instanceof Error ? error.message : 'no answer'}`);
    }
  };
}

/** Returns the address in lower case if the provider has verified it. Entra has its own claim for this. */
function verifiedEmail({ email, email_verified, xms_edov }: IDToken | UserInfoResponse): string | null {
  const isVerified = email_verified ?? (xms_edov === true || xms_edov === 1 || xms_edov === '1');
  return isVerified === true && typeof email === 'string' ? parseAccountEmail(email) : null;
}

/** Values of `acr` for two factors: of OpenID for those that resist phishing, of PAPE and of REFEDS. */
const MULTI_FACTOR =
  /^(mfa|phrh?|http:\/\/schemas\.openid\.net\/pape\/\S+\/multi-factor|https:\/\/refeds\.org\/profile\/mfa)$/;

/** Returns true if the provider has checked two factors: one that is known and one that is had, by RFC 8176. */
function provesTwoFactors({ acr, amr }: IDToken): boolean {
  const hasAny = (...values: readonly string[]) => Array.isArray(amr) && values.some((value) => amr.includes(value));
  const hasBoth = hasAny('pwd', 'pin', 'kba') && hasAny('otp', 'hwk', 'swk', 'pop', 'sms', 'tel', 'sc');
  return hasAny('mfa') || hasBoth || MULTI_FACTOR.test(String(acr));
}

/** Returns the error of a step with the library's code, or the provider's, as its message. */
function toProviderError(client: Ready['client'], error: unknown): ProviderError {
  if (!(error instanceof Error)) return new ProviderError('invalid', 'unknown error');
  if (error instanceof ProviderError) return error;
  if (error.cause instanceof ProviderError) return error.cause;
  if (error instanceof client.AuthorizationResponseError) {
    const isAway = error.error === 'temporarily_unavailable' || error.error === 'server_error';
    const reason = isAway ? 'unavailable' : error.error === 'access_denied' ? 'declined' : 'invalid';
    return new ProviderError(reason, error.error);
  }
  if (error instanceof client.WWWAuthenticateChallengeError) {
    return new ProviderError('invalid', error.cause[0]?.parameters.error ?? `status ${error.status}`);
  }
  // The messages of the library name the check, not the value.
  const { message } = error.cause instanceof Error ? error.cause : error;
  return new ProviderError('invalid', error instanceof client.ResponseBodyError ? error.error : message);
}
