import type { Form } from '../domain/form.ts';
import { type MailKind, replyAddress } from '../domain/mail.ts';
import { maskPayload } from '../domain/masking.ts';
import type { Payload, SentFile, StoredSubmission } from '../domain/submission.ts';
import { savedName, shortName } from '../lib/file-name.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { ClaimedMail, Store } from '../storage/store.ts';
import { openFile } from '../vault/file-cipher.ts';
import { filesPlace, payloadPlace, UnreadableRecordError, type Vault } from '../vault/vault.ts';
import { autoReply } from './auto-reply.ts';
import type { Attachment, Message } from './mailer.ts';
import { notification } from './notification.ts';

type Keeper = Readonly<{ store: Store; vault: Vault; blobs: Blobs; attachLimit: number }>;

const MAX_FILE_NAME = 150;

/**
 * The message of a mail, made anew of its submission each time. Null if it is not to be sent any more: the submission is
 * gone or spam by now, or the form no longer tells or answers whom it is for. Throws `UnreadableRecordError` if the
 * submission was damaged.
 */
export async function composeMail(keeper: Keeper, mail: ClaimedMail): Promise<Message | null> {
  const found = await keeper.store.findSubmissionWithForm(mail.submissionId);
  if (!found || found.submission.isSpam) return null;
  const { submission, form } = found;
  const payload = keeper.vault.openPayload(submission.payload, payloadPlace(submission.id, form.id));
  const replyTo = replyAddress(payload);
  const to = recipientOf(mail, form, replyTo);
  if (to === null) return null;

  const parts = await partsOf(keeper, mail.kind, { form, submission, payload: maskPayload(payload), replyTo });
  const [, domain = 'localhost'] = mail.messageId.split(/@|>/);
  const references = form.threadMails && mail.kind === 'notification' ? `<${form.id}@${domain}>` : null;
  return { ...parts, to, messageId: mail.messageId, date: mail.createdAt, references };
}

function recipientOf({ kind, recipient }: ClaimedMail, form: Form, replyTo: string | null): string | null {
  if (kind === 'auto_reply') return form.autoReplyText === null ? null : replyTo;
  return recipient !== null && form.notify.includes(recipient) ? recipient : null;
}

type Told = Readonly<{ form: Form; submission: StoredSubmission; payload: Payload; replyTo: string | null }>;

async function partsOf(keeper: Keeper, kind: MailKind, { form, submission, payload, replyTo }: Told) {
  if (kind === 'auto_reply') return autoReply(form, payload);
  const files = filesOf(keeper, submission);
  const attachments = form.attachFiles ? await attachmentsOf(keeper, files) : [];
  return notification({ form, submissionId: submission.id, payload, files, attachments, replyTo });
}

function filesOf({ vault }: Keeper, { id, formId, files }: StoredSubmission): readonly SentFile[] {
  return files === null ? [] : vault.openFiles(files, filesPlace(id, formId));
}

/** All of them; null beyond the limit or where one is missing or damaged: the mail names them anyway. */
async function attachmentsOf(keeper: Keeper, files: readonly SentFile[]): Promise<Attachment[] | null> {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total > keeper.attachLimit) return null;
  const attachments: Attachment[] = [];
  for (const file of files) {
    if (!(await isWhole(keeper, file))) return null;
    attachments.push({
      name: shortName(savedName(file.name, file.id), MAX_FILE_NAME),
      contentType: attachedType(file.contentType),
      bytes: bytesOf(keeper, file),
    });
  }
  return attachments;
}

/** Read once before it is sent: one that turns out to be damaged on the way would take the mail down with it. */
async function isWhole(keeper: Keeper, file: SentFile): Promise<boolean> {
  try {
    let size = 0;
    for await (const bytes of bytesOf(keeper, file)) size += bytes.length;
    return size === file.size;
  } catch (error) {
    if (error instanceof UnreadableRecordError) return false;
    throw error;
  }
}

async function* bytesOf({ blobs }: Keeper, { blob, key }: SentFile): AsyncGenerator<Uint8Array> {
  const sealed = await blobs.read(blob);
  if (!sealed) throw new UnreadableRecordError('missing');
  yield* openFile(Buffer.from(key, 'base64'), sealed.bytes);
}

/** Mails within a mail are taken apart on their way. */
function attachedType(contentType: string): string {
  return /^(?:message|multipart)\//.test(contentType) ? 'application/octet-stream' : contentType;
}
