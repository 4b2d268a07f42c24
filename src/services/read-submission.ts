import { maskPayload } from '../domain/masking.ts';
import type { Payload, StoredSubmission } from '../domain/submission.ts';
import type { Logger } from '../lib/log.ts';
import { payloadPlace, UnreadableRecordError, type Vault } from '../vault/vault.ts';

/**
 * The payload of a stored submission, masked, ready to be shown. Null if its record does not open: it was damaged or
 * tampered with, which is logged, and must not take the page it stands on down with it.
 */
export function readPayload(vault: Vault, log: Logger, { id, formId, payload }: StoredSubmission): Payload | null {
  try {
    return maskPayload(vault.openPayload(payload, payloadPlace(id, formId)));
  } catch (error) {
    if (!(error instanceof UnreadableRecordError)) throw error;
    log.error('a stored submission cannot be read', { submission: id, reason: error.message });
    return null;
  }
}
