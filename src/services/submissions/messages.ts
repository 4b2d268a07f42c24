import { invalidInput, noSuch } from '../../domain/errors.ts';
import { replyAddress } from '../../domain/mail/mail.ts';
import {
  isMessageId,
  MAX_MESSAGE_LENGTH,
  MAX_SUBJECT_LENGTH,
  type MessageBody,
} from '../../domain/submissions/message.ts';
import type { Payload, StoredSubmission } from '../../domain/submissions/submission.ts';
import type { User } from '../../domain/users/user.ts';
import { newId } from '../../lib/ids.ts';
import type { Logger } from '../../lib/log.ts';
import { toSingleLine } from '../../lib/one-line.ts';
import { openMessage, sealMessage } from '../../vault/open-message.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Services } from '../services.ts';
import { openOrLog } from './read-submission.ts';

type Deps = Pick<Services, 'store' | 'vault'>;

/** A note or a reply as entered. `id` is from the page, so that one sent twice is stored once. */
export type MessageInput = Readonly<{ id: string; subject: string; text: string }>;

/** A member who writes on a submission of their team. */
export type Author = Readonly<{ user: User; teamId: string }>;

/** Stores a note. Throws `AppError` for a text that is empty or too long, and above the limits. */
export async function addNote(deps: Deps, submission: StoredSubmission, { user, teamId }: Author, input: MessageInput) {
  const message = getMessage(deps, submission, user, input, null);
  if (!(await deps.store.messages.add({ ...message, kind: 'note' }, null, teamId))) noSuch('submission');
}

/** Stores a reply and queues its mail. `sender` is the address that sends it. Throws like `addNote`. */
export async function addReply(
  deps: Deps & Readonly<{ sender: string }>,
  submission: StoredSubmission,
  { user, teamId }: Author,
  input: MessageInput,
) {
  const message = getMessage(deps, submission, user, input, toSingleLine(input.subject, MAX_SUBJECT_LENGTH));
  const messageId = `<${message.id}@${deps.sender.slice(deps.sender.lastIndexOf('@') + 1)}>`;
  const mail = { id: newId('mail'), messageId };
  if (!(await deps.store.messages.add({ ...message, kind: 'reply' }, mail, teamId))) noSuch('submission');
}

/** Returns the address for a reply from a masked payload; null if there is none or if it was masked. */
export function replyTarget(payload: Payload | null): string | null {
  const address = payload && replyAddress(payload);
  return address?.includes('***') ? null : address;
}

/** Opens a note or reply for display. Returns null and logs if the record is damaged. */
export function readMessage(vault: Vault, log: Logger, message: Parameters<typeof openMessage>[1]): MessageBody | null {
  return openOrLog(log, 'could not read a stored message', { message: message.id }, () => openMessage(vault, message));
}

function getMessage(
  { vault }: Deps,
  { id: submissionId, formId }: StoredSubmission,
  user: User,
  input: MessageInput,
  subject: string | null,
) {
  const id = isMessageId(input.id) ? input.id : newId('msg');
  const body: MessageBody = { author: user.name ?? user.email, text: parseText(input.text), subject };
  return { id, submissionId, formId, authorId: user.id, body: sealMessage(vault, id, formId, body) };
}

function parseText(text: string): string {
  const trimmed = text.replace(/\r\n?/g, '\n').trim();
  if (trimmed === '') throw invalidInput('The text of a message is empty.', ['empty_message']);
  if (trimmed.length > MAX_MESSAGE_LENGTH) {
    const message = `A message has at most ${MAX_MESSAGE_LENGTH} characters.`;
    throw invalidInput(message, ['text_too_long', MAX_MESSAGE_LENGTH]);
  }
  return trimmed;
}
