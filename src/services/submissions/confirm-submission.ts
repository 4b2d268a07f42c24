import { getDestinations } from '../../domain/forms/destinations.ts';
import type { Form } from '../../domain/forms/form.ts';
import { mailsForSubmission } from '../../domain/mail/mail.ts';
import { CONFIRM_DAYS, type StoredSubmission } from '../../domain/submissions/submission.ts';
import { deliveriesForSubmission } from '../../domain/webhooks/webhook.ts';
import { DAY } from '../../lib/clock.ts';
import { isConfirmToken } from '../../vault/confirm-token.ts';
import { openOr, openPayload, openSpamNote } from '../../vault/open-submission.ts';
import type { Services } from '../services.ts';

type Wakeable = Readonly<{ wake: () => void }>;

type Deps = Pick<Services, 'store' | 'vault' | 'clock'> &
  Readonly<{ mail: Readonly<{ sender: string | null; outbox: Wakeable }>; webhooks: Wakeable }>;

type Confirmable = Readonly<{ submission: StoredSubmission; form: Form }>;

/** Finds the submission of a link, and its form. Null if the link is not genuine or has expired. */
export async function findConfirmable(
  { store, vault, clock }: Pick<Deps, 'store' | 'vault' | 'clock'>,
  id: string,
  token: string,
): Promise<Confirmable | null> {
  const found = await store.mails.findSubmissionWithForm(id);
  if (!found?.submission.confirmHash || !isConfirmToken(vault, token, id, found.submission.confirmHash)) return null;
  const { submission, form } = found;
  if (submission.confirmedAt !== null) return found;
  const isExpired = submission.createdAt <= clock() - CONFIRM_DAYS * DAY;
  return isExpired || submission.trashedAt !== null || form.trashedAt !== null ? null : found;
}

/**
 * Confirms the visitor's address, and causes what the submission would have caused on arrival, in the visitor's
 * `language`. Does nothing if it was confirmed before. Returns false if it is no longer possible.
 */
export async function confirmSubmission(deps: Deps, found: Confirmable, language: string): Promise<boolean> {
  const { store, vault, mail, webhooks } = deps;
  const { sender } = mail;
  const { submission, form } = found;
  if (submission.confirmedAt !== null) return true;
  const { id, isMaybeSpam } = submission;
  const isHeld = isMaybeSpam && openOr(() => openSpamNote(vault, submission).isHeld, true);
  const payload = openOr(() => openPayload(vault, submission), null);
  const destinations = getDestinations(form, payload ?? [], { isSpam: isHeld, hasMail: sender !== null });
  const arrival = { id, payload: payload ?? [], recipients: destinations.recipients, language };
  const mails =
    sender !== null && !isHeld && payload ? mailsForSubmission(form, arrival, sender, vault.addressHash) : [];
  const deliveries = deliveriesForSubmission(destinations.webhooks, id);
  if (await store.submissions.confirm(id, mails, deliveries)) {
    if (mails.length > 0) mail.outbox.wake();
    if (deliveries.length > 0) webhooks.wake();
    return true;
  }
  // Confirmed by another request meanwhile, or deleted.
  return ((await store.mails.findSubmissionWithForm(id))?.submission.confirmedAt ?? null) !== null;
}
