import { AppError } from '../domain/errors.ts';
import type { Payload, UploadedFile } from '../domain/submissions/submission.ts';
import type { Idempotency } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import type { Vault } from '../vault/vault.ts';

type Content = Readonly<{ payload: Payload; files: readonly UploadedFile[] }>;

/** Stores posts with an Idempotency-Key only once (draft-ietf-httpapi-idempotency-key-header). */
export class IdempotencyGuard {
  readonly #inProgress = new Set<string>();

  constructor(
    private readonly store: Store,
    private readonly vault: Vault,
  ) {}

  /**
   * Calls `work` with the fingerprints to store, unless the same content was stored under this key before. Throws
   * `invalid_idempotency_key`, `idempotency_key_in_use` while another post with this key is in progress, and
   * `idempotency_key_reused` if the key was used with different content.
   */
  async run(formId: string, key: string, content: Content, work: (idempotency: Idempotency) => Promise<void>) {
    if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
      throw new AppError('invalid_idempotency_key', 'Idempotency-Key must be 1 to 255 printable ASCII characters.');
    }
    const idempotency = {
      key: this.vault.fingerprint('idempotency key', `${formId}\0${key}`),
      content: this.vault.fingerprint('idempotent content', serialize(content)),
    };
    if (this.#inProgress.has(idempotency.key)) {
      throw new AppError('idempotency_key_in_use', 'A submission with this Idempotency-Key is still being processed.', {
        headers: { 'Retry-After': '1' },
      });
    }
    this.#inProgress.add(idempotency.key);
    try {
      const replay = await this.store.idempotency.findReplay(formId, idempotency);
      if (replay === 'other content') throw keyReused();
      if (replay === 'none') await work(idempotency);
    } finally {
      this.#inProgress.delete(idempotency.key);
    }
  }
}

/** Returns the refusal of a key that was used with different content. */
export function keyReused(): AppError {
  const message = 'This Idempotency-Key was already used with different content. Use a new key for each submission.';
  return new AppError('idempotency_key_reused', message);
}

/** Returns a text that is equal for equal content. It covers all stored data, but no details of the encoding. */
function serialize({ payload, files }: Content): string {
  const fileData = files.map(({ field, name, contentType, sha256 }) => [field, name, contentType, sha256]);
  return JSON.stringify([payload, fileData]);
}
