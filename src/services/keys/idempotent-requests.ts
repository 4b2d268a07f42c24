import { AppError } from '../../domain/errors.ts';
import type { ApiRequest } from '../../storage/records.ts';
import { openOr } from '../../vault/open-submission.ts';
import { apiResponseAad } from '../../vault/vault.ts';
import type { Services } from '../services.ts';

/** The longest response that is stored, in characters of JSON. */
const MAX_RESPONSE = 64 * 1024;

/** A stored response: its status and JSON. */
type StoredResponse = Readonly<{ status: number; text: string }>;

/**
 * Runs POST requests with an Idempotency-Key once (draft-ietf-httpapi-idempotency-key-header). Responses are stored for 24
 * hours, sealed. A request that was refused is forgotten, so that it can be repeated.
 */
export class IdempotentRequests {
  readonly #running = new Set<string>();
  readonly #claims = new WeakMap<Request, string>();

  constructor(private readonly deps: Pick<Services, 'store' | 'vault'>) {}

  /**
   * Claims the Idempotency-Key of a request. Returns the stored response if the request ran before, and null if it must
   * run now. Throws `invalid_idempotency_key`, `idempotency_key_in_use` and `idempotency_key_reused`.
   */
  async begin(request: Request, apiKeyId: string, body: unknown): Promise<StoredResponse | null> {
    const header = request.headers.get('idempotency-key');
    if (header === null || request.method !== 'POST') return null;
    if (!/^[\x20-\x7e]{1,255}$/.test(header)) {
      throw new AppError('invalid_idempotency_key', 'Idempotency-Key must be 1 to 255 printable ASCII characters.');
    }
    const { store, vault } = this.deps;
    const id = vault.fingerprint('api idempotency key', `${apiKeyId}\0${header}`);
    const { pathname, search } = new URL(request.url);
    const sent = JSON.stringify([request.method, pathname + search, body ?? null]);
    const content = vault.fingerprint('api request', sent);
    if (this.#running.has(id)) throw inUse('A request with this Idempotency-Key is still being processed.', 1);
    this.#running.add(id);
    try {
      const earlier = await store.idempotency.claimRequest(id, content);
      if (earlier) return this.#replay(id, content, earlier);
      this.#claims.set(request, id);
      return null;
    } finally {
      if (!this.#claims.has(request)) this.#running.delete(id);
    }
  }

  /** Stores the response of a claimed request. */
  async finish(request: Request, status: number, data: unknown): Promise<void> {
    const id = this.#end(request);
    if (id === undefined) return;
    const text = JSON.stringify(data);
    const response = text.length > MAX_RESPONSE ? null : this.deps.vault.seal(text, apiResponseAad(id));
    await this.deps.store.idempotency.answerRequest(id, status, response).finally(() => this.#running.delete(id));
  }

  /** Forgets a claimed request that was refused. After an unexpected error it is kept: it may have changed something. */
  async release(request: Request, { code }: AppError): Promise<void> {
    const id = this.#end(request);
    if (id === undefined) return;
    // Without the database the claim stays, and a repetition is refused.
    if (code !== 'internal_error') await this.deps.store.idempotency.releaseRequest(id).catch(() => {});
    this.#running.delete(id);
  }

  #end(request: Request): string | undefined {
    const id = this.#claims.get(request);
    this.#claims.delete(request);
    return id;
  }

  #replay(id: string, content: string, earlier: ApiRequest): StoredResponse {
    if (earlier.content !== content) {
      throw new AppError(
        'idempotency_key_reused',
        'This Idempotency-Key was already used with a different request. Use a new key for each request.',
      );
    }
    const { status, response } = earlier;
    const text = response && openOr(() => this.deps.vault.open(response, apiResponseAad(id)).toString(), null);
    if (status === null || text === null) {
      throw inUse(
        'The first request with this Idempotency-Key left no response: it was interrupted, or its response was too long. Check whether it took effect, and use a new key.',
      );
    }
    return { status, text };
  }
}

function inUse(message: string, retrySeconds?: number): AppError {
  const headers = retrySeconds === undefined ? {} : { 'Retry-After': String(retrySeconds) };
  return new AppError('idempotency_key_in_use', message, { headers });
}
