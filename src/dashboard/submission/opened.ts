import type { Form } from '../../domain/form.ts';
import type { StoredMail } from '../../domain/mail.ts';
import type { MessageBody, StoredMessage } from '../../domain/message.ts';
import type { StoredSubmission } from '../../domain/submission.ts';
import type { InboxList } from '../ui/inbox-list.ts';

/** A submission with its form, and the list that it was opened from. */
export type Opened = Readonly<{ submission: StoredSubmission; form: Form; list: InboxList }>;

/** A mail of a submission, with the reason of its last failure. */
export type MailEntry = Readonly<{ mail: StoredMail; reason: string | null }>;

/** A note or reply. `body` is null if it can't be read, `mail` for a note and for a reply sent some days ago. */
export type ThreadEntry = Readonly<{ message: StoredMessage; body: MessageBody | null; mail: MailEntry | null }>;

/** Inputs of the reply or the note. `id` is the one of the new message. */
export type Draft = Readonly<{ kind: 'reply' | 'note'; id: string; subject: string; text: string; error?: string }>;

/** Sender and recipient of a reply. */
export type ReplyRoute = Readonly<{ to: string; from: string; answersTo: string }>;
