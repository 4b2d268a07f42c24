import { AppError } from '../domain/errors.ts';
import { faultOf } from '../domain/field-rules.ts';
import type { Form } from '../domain/form.ts';
import type { Payload } from '../domain/submission.ts';
import { type Clock, SECOND } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { mapInTurns } from '../lib/map-in-turns.ts';
import type { Idempotency, Store } from '../storage/store.ts';
import { filesPlace, payloadPlace, type Vault } from '../vault/vault.ts';
import { keyReused, type Once } from './idempotency.ts';
import { emptySubmission, formPaused } from './refusals.ts';
import { isEmpty, isTrapped, withoutControlFields } from './special-fields.ts';
import type { Upload } from './upload.ts';

type Keeper = Readonly<{ store: Store; vault: Vault; clock: Clock }>;

/** A post that was read: `idempotencyKey` is the header of that name, null where there is none. */
export type Post = Readonly<{ sent: Payload; upload: Upload; idempotencyKey: string | null }>;

/**
 * Takes what was sent to an active form through the traps, replays and rules, and keeps it. Fulfilled only once it is on
 * the disk, or was before, or was dropped because it fell into a trap: the caller cannot tell, nor may the visitor.
 * Throws `AppError` if it was not kept.
 */
export async function acceptPost(keeper: Keeper, once: Once, form: Form, post: Post): Promise<void> {
  if (isTrapped(post.sent)) return;
  const payload = withoutControlFields(post.sent);
  const { files } = post.upload;
  if (isEmpty(payload) && files.length === 0) throw emptySubmission();

  const keep = async (idempotency: Idempotency | null) => {
    if (form.enforcesRules) await refuseFaults(form, payload, new Set(files.map(({ field }) => field)));
    await keepSubmission(keeper, form, payload, post.upload, idempotency);
  };
  if (post.idempotencyKey === null) await keep(null);
  else await once.run(form.id, post.idempotencyKey, { payload, files }, keep);
}

async function refuseFaults({ fields }: Form, payload: Payload, withFiles: ReadonlySet<string>): Promise<void> {
  const values = new Map(payload);
  const found = await mapInTurns(fields, (field) => faultOf(field, values.get(field.name), withFiles.has(field.name)));
  const errors = found.filter((fault) => fault !== null);
  if (errors.length === 0) return;
  throw new AppError('invalid_fields', 'Some entries are missing or need to be corrected.', { errors });
}

async function keepSubmission(
  { store, vault, clock }: Keeper,
  form: Form,
  payload: Payload,
  upload: Upload,
  idempotency: Idempotency | null,
): Promise<void> {
  const id = newId('sub');
  const { files } = upload;
  const acceptance = await store
    .acceptSubmission({
      id,
      formId: form.id,
      isSpam: false,
      payload: vault.sealPayload(payload, payloadPlace(id, form.id)),
      files: files.length > 0 ? vault.sealFiles(files, filesPlace(id, form.id)) : null,
      blobs: files.map(({ blob }) => blob),
      idempotency,
    })
    .catch((error: unknown) => {
      // A commit that failed may still come back with the next start: only the sweep can tell.
      upload.release();
      throw error;
    });
  switch (acceptance.outcome) {
    case 'stored':
      upload.release();
      return;
    case 'replayed':
      return;
    case 'reused':
      throw keyReused();
    case 'paused':
      throw formPaused();
    case 'capped': {
      const seconds = Math.max(1, Math.ceil((acceptance.periodEnd - clock()) / SECOND));
      throw new AppError('submission_cap_reached', 'This form takes no more submissions this month.', {
        headers: { 'Retry-After': String(seconds) },
      });
    }
  }
}
