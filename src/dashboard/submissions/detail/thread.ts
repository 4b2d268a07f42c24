import type { Context } from '../../../context/context.ts';
import { readMessage } from '../../../services/submissions/messages.ts';
import { readMailReason } from '../../../services/submissions/read-submission.ts';
import type { MailEntry, ThreadEntry } from './opened.ts';

/** Reads the notes and replies of a submission, and its other mails. */
export async function readThread(
  { store, vault, log }: Pick<Context, 'store' | 'vault' | 'log'>,
  submissionId: string,
): Promise<Readonly<{ entries: readonly ThreadEntry[]; mails: readonly MailEntry[] }>> {
  const stored = await store.inbox.listMailsOf(submissionId);
  const mails = stored.map((mail) => ({ mail, reason: readMailReason(vault, log, mail) }));
  const messages = await store.messages.list([submissionId]);
  const entries = messages.map((message) => ({
    message,
    body: readMessage(vault, log, message),
    mail: mails.find(({ mail }) => mail.replyId === message.id) ?? null,
  }));
  return { entries, mails: mails.filter(({ mail }) => mail.kind !== 'reply') };
}
