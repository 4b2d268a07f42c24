import { AppError } from '../domain/errors.ts';
import type { Payload, UploadedFile } from '../domain/submission.ts';
import type { Idempotency, Store } from '../storage/store.ts';
import type { Vault } from '../vault/vault.ts';

type Content = Readonly<{ payload: Payload; files: readonly UploadedFile[] }>;

/**
 * Sees to it that a post which comes again under its Idempotency-Key (draft-ietf-httpapi-idempotency-key-header) is kept
 * once.
 */
export class IdempotencyGuard {
  readonly #underWay = new Set<string>();

  constructor(
    private readonly store: Store,
    private readonly vault: Vault,
  ) {}

  /**
   * Calls `keep` with what to store, unless the same content was kept under this key before. Throws `AppError` for a key
   * that is not 1 to 255 printable ASCII characters, one that is in use at this moment, and one that came with other
   * content.
   */
  async run(
    formId: string,
    key: string,
    content: Content,
    keep: (idempotency: Idempotency) => Promise<void>,
  ): Promise<void> {
    if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
      throw new AppError('invalid_idempotency_key', 'Idempotency-Key takes 1 to 255 printable ASCII characters.');
    }
    const idempotency = {
      key: this.vault.fingerprint('idempotency key', `${formId}\0${key}`),
      content: this.vault.fingerprint('idempotent content', describe(content)),
    };
    if (this.#underWay.has(idempotency.key)) {
      throw new AppError('idempotency_key_in_use', 'A post with this Idempotency-Key is being kept just now.', {
        headers: { 'Retry-After': '1' },
      });
    }
    this.#underWay.add(idempotency.key);
    try {
      const replay = await this.store.findReplay(formId, idempotency);
      if (replay === 'other content') throw keyReused();
      if (replay === 'none') await keep(idempotency);
    } finally {
      this.#underWay.delete(idempotency.key);
    }
  }
}

export function keyReused(): AppError {
  return new AppError(
    'idempotency_key_reused',
    'This Idempotency-Key came with other content before; use a new key for a new post.',
  );
}

/** What makes two posts the same: neither the boundary nor the order of the parts' heads, but all that is kept. */
function describe({ payload, files }: Content): string {
  const described = files.map(({ field, name, contentType, sha256 }) => [field, name, contentType, sha256]);
  return JSON.stringify([payload, described]);
}
