import { AppError } from '../domain/errors.ts';
import type { Form } from '../domain/form.ts';
import type { Payload } from '../domain/submission.ts';
import { type Clock, SECOND } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Store } from '../storage/store.ts';
import { payloadPlace, type Vault } from '../vault/vault.ts';
import { emptySubmission } from './decode/body.ts';
import { isEmpty, isTrapped, withoutControlFields } from './special-fields.ts';

type Keeper = Readonly<{ store: Store; vault: Vault; clock: Clock }>;

/**
 * Takes what was sent to an active form through the traps and keeps it. Fulfilled only once it is on the disk, or was
 * dropped because it fell into a trap: the caller cannot tell, nor may the visitor. Throws `AppError` if it was not
 * kept.
 */
export async function acceptPayload({ store, vault, clock }: Keeper, form: Form, sent: Payload): Promise<void> {
  if (isTrapped(sent)) return;
  const payload = withoutControlFields(sent);
  if (isEmpty(payload)) throw emptySubmission();

  const id = newId('sub');
  const acceptance = await store.acceptSubmission({
    id,
    formId: form.id,
    isSpam: false,
    payload: vault.sealPayload(payload, payloadPlace(id, form.id)),
  });
  if (acceptance.outcome === 'paused') throw formPaused();
  if (acceptance.outcome === 'capped') {
    const seconds = Math.max(1, Math.ceil((acceptance.periodEnd - clock()) / SECOND));
    throw new AppError('submission_cap_reached', 'This form takes no more submissions this month.', {
      headers: { 'Retry-After': String(seconds) },
    });
  }
}

export function formPaused(): AppError {
  return new AppError('form_paused', 'This form is paused and takes no submissions at the moment.');
}
