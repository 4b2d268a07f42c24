import { NotFoundError } from '../domain/errors.ts';
import { mailsForSubmission, type NewMail } from '../domain/mail.ts';
import type { StoredSubmission } from '../domain/submission.ts';
import { deliveriesForSubmission, type NewDelivery } from '../domain/webhook.ts';
import type { Store } from '../storage/store.ts';
import { openOr, openPayload } from '../vault/open-submission.ts';
import type { Vault } from '../vault/vault.ts';

/** `mail` is null if no mail server is configured. */
type Deps = Readonly<{ store: Store; vault: Vault; mail: Readonly<{ sender: string }> | null }>;

/**
 * Marks a submission as spam or genuine. The first time a submission is cleared that was flagged on arrival, its mails
 * are queued; without a mail server this stays possible for later. Throws `not_found`, also if it belongs to another
 * team than `teamId`.
 */
export async function markSubmission(
  deps: Deps,
  id: string,
  isSpam: boolean,
  teamId?: string,
): Promise<StoredSubmission> {
  const isInTeam = teamId === undefined || (await deps.store.findSubmission(id, teamId)) !== null;
  const existing = isInTeam ? await deps.store.findSubmissionWithForm(id) : null;
  const marked =
    existing &&
    (await deps.store.markSubmission(id, isSpam, withheldMails(deps, existing), withheldDeliveries(deps, existing)));
  if (marked) return marked;
  throw new NotFoundError('submission', id);
}

type SubmissionWithForm = NonNullable<Awaited<ReturnType<Store['findSubmissionWithForm']>>>;

/** Returns the mails that the submission would have caused; none if it is damaged, null without a mail server. */
function withheldMails({ vault, mail }: Deps, { submission, form }: SubmissionWithForm): NewMail[] | null {
  if (mail === null) return null;
  const payload = openOr(() => openPayload(vault, submission), null);
  return payload === null ? [] : mailsForSubmission(form, submission.id, payload, mail.sender, vault.addressHash);
}

function withheldDeliveries({ vault }: Deps, { submission, form }: SubmissionWithForm): NewDelivery[] {
  if (form.webhookRoutes.length === 0) return [];
  const payload = openOr(() => openPayload(vault, submission), []);
  return deliveriesForSubmission(form.webhookRoutes, submission.id, payload, false);
}
