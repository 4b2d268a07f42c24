import { NotFoundError } from '../../domain/errors.ts';
import { getDestinations } from '../../domain/forms/destinations.ts';
import { mailsForSubmission, type NewMail } from '../../domain/mail/mail.ts';
import type { StoredSubmission } from '../../domain/submissions/submission.ts';
import { deliveriesForSubmission, type NewDelivery } from '../../domain/webhooks/webhook.ts';
import type { Store } from '../../storage/store.ts';
import { openOr, openPayload, openSpamNote } from '../../vault/open-submission.ts';
import type { Services } from '../services.ts';

/** The sender is null if no mail server is configured. */
type Deps = Pick<Services, 'store' | 'vault'> & Readonly<{ mail: Readonly<{ sender: string | null }> }>;

/**
 * Marks a submission as spam or genuine. The first time a submission is cleared that was held back on arrival, its mails
 * are queued; without a mail server this stays possible for later. Throws `not_found`, also if it belongs to another
 * team than `teamId`.
 */
export async function markSubmission(
  deps: Deps,
  id: string,
  isSpam: boolean,
  teamId?: string,
): Promise<StoredSubmission> {
  const isInTeam = teamId === undefined || (await deps.store.submissions.find(id, teamId)) !== null;
  const existing = isInTeam ? await deps.store.mails.findSubmissionWithForm(id) : null;
  const marked = existing && (await deps.store.submissions.mark(id, isSpam, ...withheld(deps, existing)));
  if (marked) return marked;
  throw new NotFoundError('submission', id);
}

/**
 * Returns the mails and deliveries that the submission would have caused; none if it was delivered as possible spam, with
 * null for its mails, so that its reasons stay and later marks are learned too. If it is damaged there are no mails, and
 * null without a mail server.
 */
function withheld(
  { vault, mail: { sender } }: Deps,
  { submission, form }: NonNullable<Awaited<ReturnType<Store['mails']['findSubmissionWithForm']>>>,
): [mails: NewMail[] | null, deliveries: NewDelivery[]] {
  const { id } = submission;
  if (!openOr(() => openSpamNote(vault, submission).isHeld, true)) return [null, []];
  const payload = openOr(() => openPayload(vault, submission), null);
  const { recipients, webhooks } = getDestinations(form, payload ?? [], { isSpam: false, hasMail: sender !== null });
  const deliveries = deliveriesForSubmission(webhooks, id);
  if (sender === null) return [null, deliveries];
  if (payload === null) return [[], deliveries];
  const mails = mailsForSubmission(form, { id, payload, recipients, language: null }, sender, vault.addressHash);
  // The visitor of spam was not asked to confirm the address.
  const isProven = !form.confirmAddress || submission.confirmedAt !== null;
  return [isProven ? mails : mails.filter(({ kind }) => kind !== 'auto_reply'), deliveries];
}
