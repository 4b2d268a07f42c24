import { noSuch } from '../../../domain/errors.ts';
import type { Form } from '../../../domain/forms/form.ts';
import type { StoredMail } from '../../../domain/mail/mail.ts';
import type { MessageBody, StoredMessage } from '../../../domain/submissions/message.ts';
import type { StoredSubmission } from '../../../domain/submissions/submission.ts';
import { requireStored } from '../../../services/submissions/read-submission.ts';
import type { PageContext } from '../../page.ts';
import { type InboxList, readList, readPostedList } from '../../ui/inbox-list.ts';

/** A submission with its form, and the list that it was opened from. */
export type Opened = Readonly<{ submission: StoredSubmission; form: Form; list: InboxList }>;

/** A mail of a submission, with the reason of its last failure. */
export type MailEntry = Readonly<{ mail: StoredMail; reason: string | null }>;

/** A note or reply. `body` is null if it can't be read, `mail` for a note and for a reply sent some days ago. */
export type ThreadEntry = Readonly<{ message: StoredMessage; body: MessageBody | null; mail: MailEntry | null }>;

/** Inputs of a reply or note. `id` is the new message's. */
export type Draft = Readonly<{ kind: 'reply' | 'note'; id: string; subject: string; text: string; error?: string }>;

/** Sender and recipient of a reply. */
export type ReplyRoute = Readonly<{ to: string; from: string; answersTo: string }>;

/** Finds the submission of the path, in the trash too. Its list is in the posted form, else in the query. */
export async function findStored(page: PageContext<'read'>, posted?: URLSearchParams): Promise<Opened> {
  const { context, team, param, query } = page;
  const { submission, form } = await requireStored(context.store, param('submissionId'), team.id);
  const list = posted ? readPostedList(posted, form.id) : readList(query, form.id);
  return { submission, form, list: list.in === 'inbox' ? list : { ...list, in: form.id, workspace: '', form: '' } };
}

/** Finds it outside the trash. */
export async function find(page: PageContext<'read'>, posted?: URLSearchParams): Promise<Opened> {
  const opened = await findStored(page, posted);
  if (opened.submission.trashedAt !== null) noSuch('submission');
  return opened;
}
