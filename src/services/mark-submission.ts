import { AppError } from '../domain/errors.ts';
import { mailsForSubmission, type NewMail } from '../domain/mail.ts';
import type { StoredSubmission } from '../domain/submission.ts';
import type { Store } from '../storage/store.ts';
import { payloadAad, UnreadableRecordError, type Vault } from '../vault/vault.ts';

/** `mail` is null where no mail is sent. */
type Deps = Readonly<{ store: Store; vault: Vault; mail: Readonly<{ sender: string }> | null }>;

/**
 * Says whether a submission is spam. Of one that was flagged when it came and is genuine the mails are queued, once: what
 * is flagged and cleared again has told its owner before. Where no mail is sent it can be released later. Throws
 * `not_found`, also for a submission that is not of the team, if one is named.
 */
export async function markSubmission(
  deps: Deps,
  id: string,
  isSpam: boolean,
  teamId?: string,
): Promise<StoredSubmission> {
  const isTheirs = teamId === undefined || (await deps.store.findSubmission(id, teamId)) !== null;
  const found = isTheirs ? await deps.store.findSubmissionWithForm(id) : null;
  const marked = found && (await deps.store.markSubmission(id, isSpam, heldBackMails(deps, found)));
  if (marked) return marked;
  throw new AppError('not_found', `there is no submission "${id}"; see "submission list --form <id>".`);
}

type Found = NonNullable<Awaited<ReturnType<Store['findSubmissionWithForm']>>>;

function heldBackMails({ vault, mail }: Deps, { submission, form }: Found): NewMail[] | null {
  if (mail === null) return null;
  try {
    const payload = vault.openPayload(submission.payload, payloadAad(submission.id, form.id));
    return mailsForSubmission(form, submission.id, payload, mail.sender, vault.addressHash);
  } catch (error) {
    if (error instanceof UnreadableRecordError) return [];
    throw error;
  }
}
