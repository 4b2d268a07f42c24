import type { Payload, PayloadValue, StoredSubmission, UploadedFile } from '../domain/submission.ts';
import { formatTime } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import type { Vault } from '../vault/vault.ts';
import { readFiles, readPayload } from './read-submission.ts';

type Deps = Readonly<{ vault: Vault; log: Logger }>;

/** Returns a submission as the management API shows it: masked, with `data` null for a damaged payload. */
export function serializeSubmission({ vault, log }: Deps, submission: StoredSubmission) {
  const payload = readPayload(vault, log, submission);
  return {
    id: submission.id,
    created_at: formatTime(submission.createdAt),
    is_spam: submission.isSpam,
    ...(submission.isMaybeSpam && { maybe_spam: true }),
    data: payload && asObject(payload),
    file_metadata: submission.files && { files: readFiles(vault, log, submission).map(serializeFile) },
  };
}

/** Returns the description of a file as the management API shows it. */
export function serializeFile({ id, field, name, contentType, size, sha256 }: UploadedFile) {
  return { id, field, name, content_type: contentType, size, sha256 };
}

/** Converts a payload into an object without prototype, so that `__proto__` is an ordinary field name. */
export function asObject(payload: Payload): Record<string, PayloadValue> {
  const object: Record<string, PayloadValue> = Object.create(null);
  for (const [name, value] of payload) object[name] = value;
  return object;
}
